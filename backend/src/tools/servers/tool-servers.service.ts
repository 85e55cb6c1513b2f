import {
  type CreateToolServerRequest,
  TOOL_SERVER_LIMITS,
  type ToolServer,
  type ToolServerDetails,
  type UpdateToolServerRequest,
} from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import { Bus } from '../../platform/bus/bus.js';
import { isUniqueViolation } from '../../platform/database/constraint-violations.js';
import { AppError } from '../../platform/errors/app-error.js';
import { SecretBox } from '../../platform/secrets/secret-box.js';
import { openHeaders, parseHeaders, parseServerUrl, sealHeaders } from './server-access.js';
import { ServerConnector } from './server-connector.js';
import { ServerFailure } from '../mcp/server-failure.js';
import { ServerHealth } from './server-health.js';
import { ServerToolEntity } from './server-tool.entity.js';
import { slugOf } from './tool-names.js';
import { changeServer, changeTools } from './tool-server-changes.js';
import { toReview, toToolServer } from './tool-server-view.js';
import { ToolServerEntity, UNIQUE_SERVER_NAME } from './tool-server.entity.js';
import { toolServersChanged } from './tool-servers-topics.js';

/** The MCP servers, as admins manage them. */
@Injectable()
export class ToolServersService {
  constructor(
    @InjectRepository(ToolServerEntity) private readonly rows: Repository<ToolServerEntity>,
    private readonly connector: ServerConnector,
    private readonly health: ServerHealth,
    private readonly secrets: SecretBox,
    private readonly bus: Bus,
  ) {}

  async list(): Promise<ToolServer[]> {
    const servers = await this.rows.find({ order: { name: 'ASC', id: 'ASC' } });
    const tools = await this.listed(this.rows.manager);
    return servers.map((row) => this.view(row, tools));
  }

  /** @throws AppError `not_found` */
  async details(id: number): Promise<ToolServerDetails> {
    const row = await this.require(this.rows.manager, id);
    const tools = await this.listed(this.rows.manager, id);
    return { ...this.view(row, tools), definitions: tools.map(toReview) };
  }

  /**
   * Registers a server and lists its tools. A server that does not answer is registered too; `lastError` says why.
   * @throws AppError `invalid`, `conflict` for a name in use and for too many servers
   */
  async create({ name, url, headers, plans }: CreateToolServerRequest): Promise<ToolServer> {
    const parsed = parseHeaders(headers ?? {});
    const row = this.rows.create({
      name,
      slug: slugOf(name),
      url: parseServerUrl(url),
      headerNames: Object.keys(parsed ?? {}),
      headersSealed: sealHeaders(parsed, this.secrets),
      plans: plans ?? ['free', 'premium'],
    });
    await this.change(async (manager) => {
      await manager.query('lock table tool_server in share row exclusive mode');
      if ((await manager.count(ToolServerEntity)) >= TOOL_SERVER_LIMITS.servers) throw tooMany();
      await manager.insert(ToolServerEntity, row);
    });
    return this.refresh(row.id);
  }

  /** @throws AppError `not_found`, `invalid`, `conflict` for a name in use and for a definition that changed again */
  async update(id: number, changes: UpdateToolServerRequest): Promise<ToolServer> {
    const { tools, accept, hashes, ...fields } = changes;
    await this.change(async (manager) => {
      const row = await this.require(manager, id, true);
      changeServer(row, fields, this.secrets);
      await manager.save(row);
      await manager.save(changeTools(await this.listed(manager, id), { tools, accept, hashes }));
    });
    const isElsewhere = fields.url !== undefined || fields.headers !== undefined;
    return isElsewhere ? this.refresh(id) : this.one(id);
  }

  /** Lists the tools of a server again. A failure is in `lastError`. @throws AppError `not_found` */
  async refresh(id: number): Promise<ToolServer> {
    const row = await this.require(this.rows.manager, id);
    try {
      const session = await this.connector.open(id, this.connector.accessOf(row));
      void session.close();
      await this.health.write(id, null);
    } catch (error) {
      if (!(error instanceof ServerFailure)) throw error;
      await this.health.write(id, error);
    }
    return this.one(id);
  }

  /** @throws AppError `not_found` */
  async delete(id: number): Promise<void> {
    await this.change(async (manager) => {
      const { affected } = await manager.delete(ToolServerEntity, { id });
      if (affected !== 1) throw new AppError('not_found');
    });
  }

  /** Runs a change in a transaction and makes every node reload. */
  private async change(work: (manager: EntityManager) => Promise<void>): Promise<void> {
    try {
      await this.rows.manager.transaction(work);
    } catch (error) {
      if (!isUniqueViolation(error, UNIQUE_SERVER_NAME)) throw error;
      throw new AppError('conflict', {
        message: 'Another tool server has this name. Please choose another one.',
        params: { reason: 'tool_server_name' },
        cause: error,
      });
    }
    await this.bus.publish(toolServersChanged, null);
  }

  private async require(manager: EntityManager, id: number, isLocked = false): Promise<ToolServerEntity> {
    const lock = isLocked ? ({ mode: 'pessimistic_write' } as const) : undefined;
    const row = await manager.findOne(ToolServerEntity, { where: { id }, lock });
    if (row === null) throw new AppError('not_found');
    return row;
  }

  /** The tools that the servers list, or one of them, in their order. */
  private listed(manager: EntityManager, serverId?: number): Promise<ServerToolEntity[]> {
    const where = serverId === undefined ? { isListed: true } : { isListed: true, serverId };
    return manager.find(ServerToolEntity, { where, order: { serverId: 'ASC', position: 'ASC' } });
  }

  private async one(id: number): Promise<ToolServer> {
    const row = await this.require(this.rows.manager, id);
    return this.view(row, await this.listed(this.rows.manager, id));
  }

  private view(row: ToolServerEntity, tools: readonly ServerToolEntity[]): ToolServer {
    const own = tools.filter(({ serverId }) => serverId === row.id);
    return toToolServer(row, own, openHeaders(row.headersSealed, this.secrets) === null);
  }
}

const tooMany = (): AppError =>
  new AppError('conflict', {
    message: `There can be at most ${TOOL_SERVER_LIMITS.servers} tool servers.`,
    params: { reason: 'tool_servers', max: TOOL_SERVER_LIMITS.servers },
  });
