/**
 * Conversation ideas: those that admins wrote, else lines of the default model, else the built-in list.
 * Not here: the admins' ideas themselves (`settings`).
 */

import { Module } from '@nestjs/common';
import { ModelsModule } from '../models/models.module.js';
import { QuotaModule } from '../quota/quota.module.js';
import { SettingsModule } from '../settings/settings.module.js';
import { StartersController } from './starters.controller.js';
import { StartersService } from './starters.service.js';

@Module({
  imports: [ModelsModule, QuotaModule, SettingsModule],
  controllers: [StartersController],
  providers: [StartersService],
})
export class StartersModule {}
