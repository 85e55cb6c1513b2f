/**
 * Settings of the installation, which admins change; their public and their admin views; keys of search services; the logo.
 * Not here: environment variables (`config`), choices of a member (`preferences`).
 */

import { Module } from '@nestjs/common';
import { BudgetsModule } from '../budgets/budgets.module.js';
import { ConnectionsModule } from '../connections/connections.module.js';
import { ConnectionsService } from '../connections/connections.service.js';
import { ModelsModule } from '../models/models.module.js';
import { ModelsService } from '../models/models.service.js';
import { SharedTables } from '../platform/bus/shared-tables.js';
import { RESOURCES, type Resources } from '../platform/platform.module.js';
import { AdminSettingsController, SettingsController } from './settings.controller.js';
import { SettingsService } from './settings.service.js';
import { SiteLogoService } from './site-logo.service.js';
import { SettingsView } from './settings-view.js';

@Module({
  imports: [BudgetsModule, ConnectionsModule, ModelsModule],
  controllers: [SettingsController, AdminSettingsController],
  providers: [
    {
      provide: SettingsService,
      inject: [RESOURCES, SharedTables, ConnectionsService, ModelsService],
      useFactory: (
        resources: Resources,
        tables: SharedTables,
        connections: ConnectionsService,
        models: ModelsService,
      ) => SettingsService.open({ ...resources, tables, connections, models }),
    },
    SettingsView,
    SiteLogoService,
  ],
  exports: [SettingsService, SiteLogoService],
})
export class SettingsModule {}
