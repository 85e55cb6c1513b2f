import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { may, type ToolServerResource } from '../../access/may.js';
import type { Asker } from '../../identity/identity.js';
import { type SharedTable, SharedTables } from '../../platform/bus/shared-tables.js';
import type { Tool } from '../tool.js';
import { type ToolProvider, ToolRegistry } from '../tool-registry.js';
import { McpSessions } from '../mcp/mcp-sessions.js';
import { modelSchema } from '../mcp/model-schema.js';
import { ServerCaller } from './server-caller.js';
import { ServerToolEntity } from './server-tool.entity.js';
import { ToolServerEntity } from './tool-server.entity.js';

/** The columns of `ServerHealth` and of lists of tools. */
const OUTCOMES = ['last_error', 'last_error_at', 'last_success_at', 'left_out', 'left_out_tools'];

interface OfferedServer extends ToolServerResource {
  tools: Tool[];
}

/** The accepted tools of the MCP servers, from memory: a send asks no server. */
@Injectable()
export class ServerTools implements ToolProvider, OnModuleInit {
  private readonly cache: SharedTable<OfferedServer[]>;

  constructor(
    @InjectRepository(ToolServerEntity) private readonly servers: Repository<ToolServerEntity>,
    private readonly caller: ServerCaller,
    private readonly sessions: McpSessions,
    tables: SharedTables,
    registry: ToolRegistry,
  ) {
    const rows = [{ table: 'tool_server', without: OUTCOMES }, { table: 'server_tool' }];
    this.cache = tables.share(rows, () => this.read());
    registry.register(this);
  }

  async onModuleInit(): Promise<void> {
    await this.cache.load();
  }

  /** Brings a committed change of the tables into effect on every node. */
  announce(): Promise<void> {
    return this.cache.announce();
  }

  onChanged(listener: () => Promise<void>): void {
    this.cache.onChanged(listener);
  }

  async list(asker: Asker): Promise<Tool[]> {
    return this.cache.value.filter((toolServer) => may(asker, { toolServer })).flatMap(({ tools }) => tools);
  }

  isForbidden(asker: Asker, name: string): boolean {
    const server = this.cache.value.find(({ tools }) => tools.some((tool) => tool.name === name));
    return server !== undefined && !may(asker, { toolServer: server });
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
      access: server.access,
      groupIds: server.groupIds,
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
        prepare: (args, context) => this.caller.prepare(offered, args, context),
      },
    ];
  }
}
