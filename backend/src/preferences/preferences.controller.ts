import type { Preferences } from '@tanya/contract';
import { Body, Controller, Get, Patch, UseGuards } from '@nestjs/common';
import { CurrentUserId, SignedInGuard } from '../identity/guards.js';
import { UpdatePreferencesDto } from './preferences.dto.js';
import { PreferencesService } from './preferences.service.js';

/** The caller's own preferences. Guests have none: their browser stores the model. */
@Controller('api/user/preferences')
@UseGuards(SignedInGuard)
export class PreferencesController {
  constructor(private readonly preferences: PreferencesService) {}

  @Get()
  read(@CurrentUserId() userId: number): Promise<Preferences> {
    return this.preferences.get(userId);
  }

  @Patch()
  update(@CurrentUserId() userId: number, @Body() changes: UpdatePreferencesDto): Promise<Preferences> {
    return this.preferences.update(userId, changes);
  }
}
