import { Module } from '@nestjs/common';
import { SettingsModule } from '../settings/settings.module.js';
import { ToolRegistry } from './tool-registry.js';

@Module({ imports: [SettingsModule], providers: [ToolRegistry], exports: [ToolRegistry] })
export class ToolsModule {}
