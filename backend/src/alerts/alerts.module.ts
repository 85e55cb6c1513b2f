/**
 * What administrators are told while they do not look: by a webhook and by mail. The watch finds occasions in the state of
 * the other rooms, which do not know this one; the delivery is by any node.
 * Not here: the values of metrics, from which a monitoring system makes alerts of its own (`docs/deploy`).
 */

import { Module } from '@nestjs/common';
import { BudgetsModule } from '../budgets/budgets.module.js';
import { ConnectionsModule } from '../connections/connections.module.js';
import { SettingsModule } from '../settings/settings.module.js';
import { ToolsModule } from '../tools/tools.module.js';
import { UsersModule } from '../users/users.module.js';
import { AlertDelivery } from './alert-delivery.js';
import { AlertWatch } from './alert-watch.js';
import { AlertsController } from './alerts.controller.js';
import { AlertsService } from './alerts.service.js';

@Module({
  imports: [BudgetsModule, ConnectionsModule, SettingsModule, ToolsModule, UsersModule],
  controllers: [AlertsController],
  providers: [AlertDelivery, AlertWatch, AlertsService],
  exports: [AlertsService],
})
export class AlertsModule {}
