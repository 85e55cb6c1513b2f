import type { ConversationStarter } from '@tanya/contract';
import { Controller, Get, Query } from '@nestjs/common';
import { SettingsService } from '../settings/settings.service.js';
import { StartersService } from './starters.service.js';

@Controller('api/conversation-starter')
export class StartersController {
  constructor(
    private readonly starters: StartersService,
    private readonly settings: SettingsService,
  ) {}

  /** @param language `id` for Indonesian, any other for English; absent, that of the site */
  @Get()
  next(@Query('language') language: unknown): ConversationStarter {
    const wanted = language ?? this.settings.get().defaultLanguage;
    return this.starters.next(wanted === 'id' ? 'id' : 'en');
  }
}
