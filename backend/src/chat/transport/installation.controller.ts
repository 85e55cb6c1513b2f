import type { InstallationStatus } from '@tanya/contract';
import { Controller, Get, Inject, UseGuards } from '@nestjs/common';
import { AdminGuard } from '../../identity/guards.js';
import { RESOURCES, type Resources } from '../../platform/platform.module.js';
import { NodeStore } from '../nodes/node-store.js';

/** So much of a hash tells versions apart. */
const VERSION_LENGTH = 8;

@Controller('api/admin/installation')
@UseGuards(AdminGuard)
export class InstallationController {
  constructor(
    private readonly nodes: NodeStore,
    @Inject(RESOURCES) private readonly resources: Resources,
  ) {}

  @Get()
  async status(): Promise<InstallationStatus> {
    const { version, redis } = this.resources;
    const nodes = await this.nodes.alive();
    return {
      version: version.slice(0, VERSION_LENGTH),
      nodes: nodes.map((node) => ({
        hostname: node.hostname,
        startedAt: node.started_at.toISOString(),
        isSameVersion: node.version === version,
      })),
      usesRedis: redis !== null,
    };
  }
}
