import type { AdminSettings, PublicSettings, TestProviderResponse } from '@tanya/contract';
import { Body, Controller, Get, HttpCode, Patch, Post, UseGuards } from '@nestjs/common';
import { AdminGuard, CurrentIdentity, OpenToAll } from '../identity/guards.js';
import type { Identity } from '../identity/identity.js';
import { readBack } from '../platform/resilience/storage-retries.js';
import { ProviderRegistry } from '../providers/registry.js';
import { TestProviderDto, UpdateSettingsDto } from './settings.dto.js';
import { SettingsService } from './settings.service.js';
import { SettingsView } from './settings-view.js';

@Controller('api/general-settings')
export class SettingsController {
  constructor(private readonly view: SettingsView) {}

  @Get()
  @OpenToAll()
  async read(@CurrentIdentity() identity: Identity): Promise<PublicSettings | AdminSettings> {
    const { isAdmin, refusal } = identity;
    return isAdmin && refusal === undefined ? this.view.adminSettings() : this.view.publicSettings();
  }
}

@Controller('api/admin')
@UseGuards(AdminGuard)
export class AdminSettingsController {
  constructor(
    private readonly settings: SettingsService,
    private readonly view: SettingsView,
    private readonly registry: ProviderRegistry,
  ) {}

  @Patch('general-settings')
  async update(@Body() changes: UpdateSettingsDto): Promise<AdminSettings> {
    await this.settings.update(changes);
    return readBack(() => this.view.adminSettings());
  }

  @Post('settings/test-provider')
  @HttpCode(200)
  async test(@Body() { provider }: TestProviderDto): Promise<TestProviderResponse> {
    const { ok, message } = await this.registry.testConnection(provider);
    return { ok, message };
  }
}
