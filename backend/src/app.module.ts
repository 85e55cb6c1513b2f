/** Root module: the platform and every room. Only the wiring stands here and in the other `app*.ts`. */

import { type DynamicModule, Module } from '@nestjs/common';
import { AccessModule } from './access/access.module.js';
import { AdminUsersModule } from './admin-users/admin-users.module.js';
import { AlertsModule } from './alerts/alerts.module.js';
import { ApiKeysModule } from './api-keys/api-keys.module.js';
import { AuditModule } from './audit/audit.module.js';
import { AuthModule } from './auth/auth.module.js';
import { TransportModule } from './chat/transport/transport.module.js';
import { IdentityModule } from './identity/identity.module.js';
import { ConnectionsModule } from './connections/connections.module.js';
import { ExportsModule } from './exports/exports.module.js';
import { FailuresModule } from './failures/failures.module.js';
import { FilesModule } from './files/files.module.js';
import { ImagesModule } from './images/images.module.js';
import { ImportsModule } from './imports/imports.module.js';
import { ModelsModule } from './models/models.module.js';
import { PlatformModule, type Resources } from './platform/platform.module.js';
import { PreferencesModule } from './preferences/preferences.module.js';
import { ProjectsModule } from './projects/projects.module.js';
import { PublicApiModule } from './public-api/public-api.module.js';
import { QuotaModule } from './quota/quota.module.js';
import { RetentionModule } from './retention/retention.module.js';
import { SettingsModule } from './settings/settings.module.js';
import { SharesModule } from './shares/shares.module.js';
import { StartersModule } from './starters/starters.module.js';
import { ToolsModule } from './tools/tools.module.js';
import { TranscriptionsModule } from './transcriptions/transcriptions.module.js';
import { UsersModule } from './users/users.module.js';

@Module({})
export class AppModule {
  static register(resources: Resources): DynamicModule {
    return {
      module: AppModule,
      imports: [
        PlatformModule.register(resources),
        IdentityModule,
        AuditModule,
        FailuresModule,
        RetentionModule,
        AccessModule,
        AuthModule,
        UsersModule,
        AdminUsersModule,
        PreferencesModule,
        ApiKeysModule,
        SettingsModule,
        ModelsModule,
        ConnectionsModule,
        QuotaModule,
        FilesModule,
        ToolsModule,
        ProjectsModule,
        AlertsModule,
        TransportModule,
        ImagesModule,
        TranscriptionsModule,
        ExportsModule,
        SharesModule,
        ImportsModule,
        StartersModule,
        PublicApiModule,
      ],
    };
  }
}
