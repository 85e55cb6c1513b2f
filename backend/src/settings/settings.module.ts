import { Module, type OnApplicationShutdown } from '@nestjs/common';
import { RESOURCES, type Resources } from '../platform/platform.module.js';
import { findLocalServer } from '../providers/local-server.js';
import { ProviderRegistry } from '../providers/registry.js';
import { AdminSettingsController, SettingsController } from './settings.controller.js';
import { SettingsService } from './settings.service.js';
import { SettingsView } from './settings-view.js';

/** The settings and the provider registry that they configure. */
@Module({
  controllers: [SettingsController, AdminSettingsController],
  providers: [
    {
      provide: ProviderRegistry,
      inject: [RESOURCES],
      useFactory: async ({ timings: { connect, connectionTest, firstToken, idle } }: Resources) =>
        new ProviderRegistry({
          localServer: await findLocalServer(),
          timings: { connect, connectionTest, firstToken, idle },
        }),
    },
    {
      provide: SettingsService,
      inject: [RESOURCES, ProviderRegistry],
      useFactory: (resources: Resources, registry: ProviderRegistry) =>
        SettingsService.open({ ...resources, registry }),
    },
    SettingsView,
  ],
  exports: [ProviderRegistry, SettingsService],
})
export class SettingsModule implements OnApplicationShutdown {
  constructor(private readonly settings: SettingsService) {}

  async onApplicationShutdown(): Promise<void> {
    await this.settings.close();
  }
}
