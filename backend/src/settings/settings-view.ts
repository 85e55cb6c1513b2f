import type { AdminSettings, PublicSettings } from '@tanya/contract';
import { Inject, Injectable } from '@nestjs/common';
import { ENV, type Env } from '../config/env.js';
import { ProxyWatch } from '../platform/net/proxy-watch.js';
import { ProviderRegistry } from '../providers/registry.js';
import { maskKey } from './provider-access.js';
import { SettingsService } from './settings.service.js';

const PROVIDER_NAMES = { openrouter: 'OpenRouter', openai: 'OpenAI' };

/** The settings as they leave the server: what everybody may read, and what admins read besides. */
@Injectable()
export class SettingsView {
  constructor(
    private readonly settings: SettingsService,
    private readonly registry: ProviderRegistry,
    private readonly proxyWatch: ProxyWatch,
    @Inject(ENV) private readonly env: Env,
  ) {}

  forEverybody(): PublicSettings {
    const settings = this.settings.get();
    return {
      siteTitle: settings.siteTitle,
      welcomeMessage: settings.welcomeMessage,
      emptyThreadMessage: settings.emptyThreadMessage,
      guestMessageQuota: settings.guestMessageQuota,
      freeUserMessageQuota: settings.freeUserMessageQuota,
      premiumUserMessageQuota: settings.premiumUserMessageQuota,
      quotaPeriod: settings.quotaPeriod,
      links: this.env.links,
      demo: this.registry.demo,
    };
  }

  forAdmins(): AdminSettings {
    const settings = this.settings.get();
    const openrouter = this.settings.accessOf('openrouter');
    const openai = this.settings.accessOf('openai');
    return {
      ...this.forEverybody(),
      systemPrompt: settings.systemPrompt,
      openrouterApiKey: maskKey(openrouter.apiKey),
      openaiApiKey: maskKey(openai.apiKey),
      openrouterBaseUrl: openrouter.baseUrl ?? '',
      openaiBaseUrl: openai.baseUrl ?? '',
      guestAddressDailyQuota: settings.guestAddressDailyQuota,
      guestHourlyBudget: settings.guestHourlyBudget,
      warnings: this.warnings(),
      updatedAt: settings.updatedAt.toISOString(),
    };
  }

  private warnings(): string[] {
    const warnings = this.settings
      .unreadableKeys()
      .map(
        (id) =>
          `The stored ${PROVIDER_NAMES[id]} API key can't be read, as APP_SECRET has changed: please enter it again.`,
      );
    if (this.proxyWatch.hasUndeclaredProxy) {
      warnings.push(
        "Requests come through a proxy, but TRUST_PROXY is not set: limits count the proxy's address for everybody.",
      );
    }
    return warnings;
  }
}
