import { Inject, Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { type Asker, planNameOf } from '../../identity/identity.js';
import { Bus } from '../../platform/bus/bus.js';
import { TableCache } from '../../platform/database/table-cache.js';
import { LOGGER, type Logger } from '../../platform/observability/logging.js';
import type { Tool } from '../tool.js';
import { type ToolProvider, ToolRegistry } from '../tool-registry.js';
import { McpSessions } from '../mcp/mcp-sessions.js';
import { modelSchema } from '../mcp/model-schema.js';
import { ServerCaller } from './server-caller.js';
import { ServerToolEntity } from './server-tool.entity.js';
import { ToolServerEntity } from './tool-server.entity.js';
import { toolServersChanged } from './tool-servers-topics.js';

interface OfferedServer {
  plans: readonly string[];
  tools: Tool[];
}

/** The accepted tools of the MCP servers, from memory: a send asks no server. */
@Injectable()
export class ServerTools implements ToolProvider, OnModuleInit, OnModuleDestroy {
  private readonly cache: TableCache<OfferedServer[]>;

  constructor(
    @InjectRepository(ToolServerEntity) private readonly servers: Repository<ToolServerEntity>,
    @Inject(LOGGER) logger: Logger,
    private readonly caller: ServerCaller,
    private readonly sessions: McpSessions,
    bus: Bus,
    registry: ToolRegistry,
  ) {
    this.cache = new TableCache(() => this.read(), logger);
    bus.subscribe(toolServersChanged, () => this.cache.reload());
    registry.register(this);
  }

  async onModuleInit(): Promise<void> {
    await this.cache.reload();
  }

  onModuleDestroy(): void {
    this.cache.close();
  }

  async list(identity: Asker): Promise<Tool[]> {
    const plan = planNameOf(identity);
    return this.cache.value.filter(({ plans }) => plans.includes(plan)).flatMap(({ tools }) => tools);
  }

  private async read(): Promise<OfferedServer[]> {
    const servers = await this.servers.find({ order: { name: 'ASC', id: 'ASC' } });
    const rows = await this.servers.manager.find(ServerToolEntity, {
      where: { isListed: true },
      order: { serverId: 'ASC', position: 'ASC' },
    });
    this.sessions.keep(servers.map(({ id }) => id));
    return servers.map((server) => ({
      plans: server.plans,
      tools: rows.filter(({ serverId }) => serverId === server.id).flatMap((row) => this.toTool(server, row)),
    }));
  }

  private toTool({ id, name }: ToolServerEntity, row: ServerToolEntity): Tool[] {
    if (row.policy === 'deny' || row.changed !== null) return [];
    const { title, description, schema } = row.accepted;
    const offered = { serverId: id, tool: row.name, hash: row.acceptedHash };
    return [
      {
        name: row.toolName,
        title,
        description,
        parameters: modelSchema(schema),
        policy: row.policy,
        server: { id, name },
        run: (args, context) => this.caller.call(offered, args, context),
        admit: (args, context) => this.caller.admit(offered, args, context),
      },
    ];
  }
}
