import type { ToolInfo } from '@tanya/contract';
import { Controller, Get } from '@nestjs/common';
import { CurrentIdentity } from '../identity/guards.js';
import type { Identity } from '../identity/identity.js';
import { ToolRegistry } from './tool-registry.js';

@Controller('api/tools')
export class ToolsController {
  constructor(private readonly registry: ToolRegistry) {}

  @Get()
  async list(@CurrentIdentity() identity: Identity): Promise<ToolInfo[]> {
    const tools = await this.registry.list(identity);
    return tools.map(({ name, title, description, policy, server }) => ({
      name,
      title,
      description,
      server: server ?? null,
      policy,
    }));
  }
}
