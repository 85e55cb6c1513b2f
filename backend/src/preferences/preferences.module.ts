/**
 * What a member chose: the last model, custom instructions.
 * Not here: settings of the installation (`settings`).
 */

import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { PreferencesController } from './preferences.controller.js';
import { PreferencesService } from './preferences.service.js';
import { UserPreferenceEntity } from './user-preference.entity.js';

@Module({
  imports: [TypeOrmModule.forFeature([UserPreferenceEntity])],
  controllers: [PreferencesController],
  providers: [PreferencesService],
})
export class PreferencesModule {}
