import type { AdminSettings, PublicSettings, SettingsWarning } from '@tanya/contract';
import { Inject, Injectable } from '@nestjs/common';
import { ENV, type Env } from '../config/env.js';
import { ConnectionsService } from '../connections/connections.service.js';
import { maskKey } from '../connections/provider-access.js';
import { BudgetViews } from '../identity/budget-views.js';
import { ProxyWatch } from '../platform/net/proxy-watch.js';
import { ProviderRegistry } from '../providers/registry.js';
import { effectiveLinks, ownLinks } from './product-links.js';
import { SettingsService } from './settings.service.js';
import { adminToolSettings } from './tool-settings.js';

const PROVIDERS = [
  { id: 'openrouter', name: 'OpenRouter' },
  { id: 'openai', name: 'OpenAI' },
] as const;

/** The settings of REST responses: the public fields, and all fields for admins. */
@Injectable()
export class SettingsView {
  constructor(
    private readonly settings: SettingsService,
    private readonly connections: ConnectionsService,
    private readonly registry: ProviderRegistry,
    private readonly proxyWatch: ProxyWatch,
    private readonly budgets: BudgetViews,
    @Inject(ENV) private readonly env: Env,
  ) {}

  publicSettings(): PublicSettings {
    const settings = this.settings.get();
    return {
      siteTitle: settings.siteTitle,
      welcomeMessage: settings.welcomeMessage,
      emptyThreadMessage: settings.emptyThreadMessage,
      guestMessageQuota: settings.guestMessageQuota,
      freeUserMessageQuota: settings.freeUserMessageQuota,
      premiumUserMessageQuota: settings.premiumUserMessageQuota,
      quotaPeriod: settings.quotaPeriod,
      registrationMode: settings.registrationMode,
      defaultLanguage: settings.defaultLanguage,
      sharingEnabled: settings.sharingEnabled,
      links: effectiveLinks(settings, this.env.links),
      totpRequired: settings.totpRequired,
      passwordReset: this.env.smtp !== null,
      demo: this.registry.demo,
    };
  }

  async adminSettings(): Promise<AdminSettings> {
    const settings = this.settings.get();
    const openrouter = this.connections.storedOf('openrouter');
    const openai = this.connections.storedOf('openai');
    return {
      ...this.publicSettings(),
      systemPrompt: settings.systemPrompt,
      openrouterApiKey: maskKey(openrouter.apiKey),
      openaiApiKey: maskKey(openai.apiKey),
      openrouterBaseUrl: openrouter.baseUrl ?? '',
      openaiBaseUrl: openai.baseUrl ?? '',
      guestAddressDailyQuota: settings.guestAddressDailyQuota,
      guestHourlyBudget: settings.guestHourlyBudget,
      freeUserBudgetUsd: settings.freeUserBudgetUsd,
      premiumUserBudgetUsd: settings.premiumUserBudgetUsd,
      userBudgetPeriod: settings.userBudgetPeriod,
      installationBudgetUsd: settings.installationBudgetUsd,
      installationBudgetPeriod: settings.installationBudgetPeriod,
      installationBudget: await this.budgets.ofInstallation(),
      ...ownLinks(settings),
      maxSteps: settings.maxSteps,
      starters: [...settings.starters],
      ...adminToolSettings(settings, this.settings.search()),
      warnings: this.warnings(),
      updatedAt: settings.updatedAt.toISOString(),
    };
  }

  private warnings(): SettingsWarning[] {
    const providers = PROVIDERS.filter(({ id }) => {
      const { hasKey, apiKey } = this.connections.storedOf(id);
      return hasKey && apiKey === null;
    });
    const unreadable = [...providers.map(({ name }) => name), ...this.settings.unreadableSearchKeys()];
    const warnings = unreadable.map((name): SettingsWarning => ({ code: 'key_unreadable', params: { name } }));
    return this.proxyWatch.hasUndeclaredProxy ? [...warnings, { code: 'proxy_undeclared' }] : warnings;
  }
}
