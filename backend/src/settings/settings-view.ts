import {
  type AdminSettings,
  type PublicSettings,
  SETTING_NAMES,
  SETTINGS,
  type SettingsWarning,
} from '@tanya/contract';
import { Inject, Injectable } from '@nestjs/common';
import { ENV, type Env } from '../config/env.js';
import { ConnectionsService } from '../connections/connections.service.js';
import { maskKey } from '../connections/provider-access.js';
import { BudgetReader } from '../budgets/budget-reader.js';
import { ProxyWatch } from '../platform/net/proxy-watch.js';
import { ProviderRegistry } from '../providers/registry.js';
import { effectiveLinks } from './product-links.js';
import { SiteLogoService } from './site-logo.service.js';
import { SettingsService } from './settings.service.js';
import { shownValues } from './stored-settings.js';

const PUBLIC_NAMES = SETTING_NAMES.filter((name) => 'isPublic' in SETTINGS[name]);

/** The built-in connections, whose keys and base URLs are shown among the settings. */
const PROVIDERS = ['openrouter', 'openai'] as const;

@Injectable()
export class SettingsView {
  constructor(
    private readonly settings: SettingsService,
    private readonly connections: ConnectionsService,
    private readonly registry: ProviderRegistry,
    private readonly proxyWatch: ProxyWatch,
    private readonly budgets: BudgetReader,
    private readonly logo: SiteLogoService,
    @Inject(ENV) private readonly env: Env,
  ) {}

  publicSettings(): PublicSettings {
    const settings = this.settings.get();
    return {
      ...(shownValues(settings, PUBLIC_NAMES) as PublicSettings),
      links: effectiveLinks(settings, this.env.links),
      logo: this.logo.address,
      passwordReset: this.env.smtp !== null,
      demo: this.registry.demo,
    };
  }

  async adminSettings(): Promise<AdminSettings> {
    const settings = this.settings.get();
    const openrouter = this.connections.storedOf('openrouter');
    const openai = this.connections.storedOf('openai');
    return {
      ...(shownValues(settings, SETTING_NAMES) as AdminSettings),
      ...this.publicSettings(),
      id: settings.id,
      openrouterApiKey: maskKey(openrouter.apiKey, openrouter.hasKey),
      openaiApiKey: maskKey(openai.apiKey, openai.hasKey),
      openrouterBaseUrl: openrouter.baseUrl ?? '',
      openaiBaseUrl: openai.baseUrl ?? '',
      braveApiKey: this.settings.maskedKey('braveApiKey'),
      tavilyApiKey: this.settings.maskedKey('tavilyApiKey'),
      alertWebhookSecret: this.settings.maskedKey('alertWebhookSecret'),
      installationBudget: await this.budgets.ofInstallation(settings),
      warnings: this.warnings(),
      updatedAt: settings.updatedAt.toISOString(),
    };
  }

  private warnings(): SettingsWarning[] {
    const providers = PROVIDERS.filter((id) => {
      const { hasKey, apiKey } = this.connections.storedOf(id);
      return hasKey && apiKey === null;
    });
    const unreadable = [...providers.map((id) => SETTINGS[`${id}ApiKey`].service), ...this.settings.unreadableKeys()];
    const warnings = unreadable.map((name): SettingsWarning => ({ code: 'key_unreadable', params: { name } }));
    return this.proxyWatch.hasUndeclaredProxy ? [...warnings, { code: 'proxy_undeclared' }] : warnings;
  }
}
