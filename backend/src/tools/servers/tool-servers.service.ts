import {
  type CreateToolServerRequest,
  TOOL_SERVER_LIMITS,
  type ToolServer,
  type ToolServerDetails,
  type ToolServerTestResult,
  type TestToolServerRequest,
  type UpdateToolServerRequest,
} from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { ArrayContains, type EntityManager, In, IsNull, Not, type Repository } from 'typeorm';
import { changedRule, OPEN } from '../../access/changed-rule.js';
import { GroupUses } from '../../access/group-uses.js';
import { recordChange } from '../../audit/audit-log.js';
import { orConflict } from '../../platform/database/constraint-violations.js';
import { nextId } from '../../platform/database/next-id.js';
import { AppError } from '../../platform/errors/app-error.js';
import { presentFields } from '../../platform/http/present-fields.js';
import { isStorageAway, readBack } from '../../platform/resilience/storage-retries.js';
import { sha256Hex } from '../../platform/secrets/sha256.js';
import { SecretBox } from '../../platform/secrets/secret-box.js';
import { openHeaders, parseHeaders, parseServerUrl, sealHeaders } from './server-access.js';
import { ServerConnector } from './server-connector.js';
import type { ServerAccess } from '../mcp/mcp-session.js';
import { ServerFailure } from '../mcp/server-failure.js';
import { ServerHealth } from './server-health.js';
import { ServerToolEntity } from './server-tool.entity.js';
import { slugOf } from './tool-names.js';
import { changeServer, changeTools } from './tool-server-changes.js';
import { toReview, toToolServer } from './tool-server-view.js';
import { ToolServerEntity, UNIQUE_SERVER_NAME } from './tool-server.entity.js';
import { ServerTools } from './server-tools.js';

@Injectable()
export class ToolServersService {
  constructor(
    @InjectRepository(ToolServerEntity) private readonly rows: Repository<ToolServerEntity>,
    private readonly connector: ServerConnector,
    private readonly health: ServerHealth,
    private readonly secrets: SecretBox,
    private readonly offer: ServerTools,
    groupUses: GroupUses,
  ) {
    groupUses.register({
      isUsed: (manager, groupId) => manager.existsBy(ToolServerEntity, { groupIds: ArrayContains([groupId]) }),
      leave: (manager, groupId) => this.leaveGroup(manager, groupId),
      announce: () => this.offer.announce(),
    });
  }

  async list(): Promise<ToolServer[]> {
    const servers = await this.rows.find({ order: { name: 'ASC', id: 'ASC' } });
    const tools = await this.listed(this.rows.manager);
    return servers.map((row) => this.view(row, tools));
  }

  /** The servers with tools that have changed since they were accepted. `mark` is another one after another change. */
  async changed(): Promise<{ id: number; name: string; tools: string[]; mark: string }[]> {
    const rows = await this.rows.manager.findBy(ServerToolEntity, { isListed: true, changedHash: Not(IsNull()) });
    const servers = await this.rows.findBy({ id: In(rows.map(({ serverId }) => serverId)) });
    return servers.map(({ id, name }) => {
      const tools = rows.filter(({ serverId }) => serverId === id).sort((a, b) => a.position - b.position);
      const mark = sha256Hex(tools.map(({ changedHash }) => changedHash).join(' '));
      return { id, name, tools: tools.map((tool) => tool.name), mark };
    });
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
  async create({ name, url, headers, plans, access, groupIds }: CreateToolServerRequest): Promise<ToolServer> {
    const parsed = parseHeaders(headers ?? {});
    const row = this.rows.create({
      name,
      slug: slugOf(name),
      url: parseServerUrl(url),
      headerNames: Object.keys(parsed ?? {}),
      plans: plans ?? ['free', 'premium'],
    });
    await this.change(async (manager) => {
      await manager.query('lock table tool_server in share row exclusive mode');
      if ((await manager.count(ToolServerEntity)) >= TOOL_SERVER_LIMITS.servers) throw tooMany();
      // The headers are sealed for their row.
      row.id = await nextId(manager, 'tool_server');
      row.headersSealed = sealHeaders(parsed, row.id, this.secrets);
      Object.assign(row, await changedRule(manager, OPEN, presentFields({ access, groupIds })));
      await manager.insert(ToolServerEntity, row);
      await record(manager, 'create', row, null, audited(row, []));
    });
    return this.listStored(row.id);
  }

  /**
   * Connects and lists the tools, and stores nothing. A failure of the server is in the result.
   * @throws AppError `not_found` for an unknown id, `invalid` for input that is not valid
   */
  async test({ id, url, headers }: TestToolServerRequest): Promise<ToolServerTestResult> {
    const startedAt = performance.now();
    const elapsed = () => Math.round(performance.now() - startedAt);
    try {
      const access = id === undefined ? unsavedAccess(url, headers) : await this.changedAccess(id, { url, headers });
      const { tools, leftOut } = await this.connector.test(access);
      return { ok: true, tools: tools.length, leftOut: leftOut.length, ms: elapsed() };
    } catch (error) {
      if (!(error instanceof ServerFailure)) throw error;
      return { ok: false, fault: error.fault, message: error.forAdmins, ms: elapsed() };
    }
  }

  /** @throws AppError `not_found`, `invalid`, `conflict` for a name in use and for a definition that changed again */
  async update(id: number, changes: UpdateToolServerRequest): Promise<ToolServer> {
    const { tools, accept, hashes, access, groupIds, ...fields } = changes;
    await this.change(async (manager) => {
      const row = await this.require(manager, id, true);
      const listed = await this.listed(manager, id);
      const before = audited(row, listed);
      changeServer(row, fields, this.secrets);
      const rule = presentFields({ access, groupIds });
      if (Object.keys(rule).length > 0) Object.assign(row, await changedRule(manager, row, rule));
      await manager.save(row);
      await manager.save(changeTools(listed, { tools, accept, hashes }));
      await record(manager, 'update', row, before, audited(row, listed));
    });
    const isElsewhere = fields.url !== undefined || fields.headers !== undefined;
    return isElsewhere ? this.listStored(id) : this.one(id);
  }

  /** Lists the tools of a server again. A failure is in `lastError`. @throws AppError `not_found` */
  async refresh(id: number): Promise<ToolServer> {
    const row = await this.require(this.rows.manager, id);
    try {
      const session = await this.connector.open(id, this.connector.accessOf(row), true);
      void session.close();
      await this.health.write(id, null);
    } catch (error) {
      if (!(error instanceof ServerFailure)) throw error;
      await this.health.write(id, error);
    }
    return this.one(id);
  }

  /** Lists the tools after a committed change. While Postgres is away, that is left to the next session with the server. */
  private listStored(id: number): Promise<ToolServer> {
    return this.refresh(id).catch((error: unknown) => {
      if (!isStorageAway(error)) throw error;
      return this.one(id);
    });
  }

  /** @throws AppError `not_found` */
  async delete(id: number): Promise<void> {
    await this.change(async (manager) => {
      const row = await this.require(manager, id, true);
      const before = audited(row, await this.listed(manager, id));
      await manager.delete(ToolServerEntity, { id });
      await record(manager, 'delete', row, before, null);
    });
  }

  /** The access that a server would have after an update. @throws ServerFailure for headers that cannot be read */
  private async changedAccess(id: number, changes: UpdateToolServerRequest): Promise<ServerAccess> {
    const row = await this.require(this.rows.manager, id);
    changeServer(row, changes, this.secrets);
    return this.connector.accessOf(row);
  }

  /** Runs a change in a transaction and makes every node reload. */
  private async change(work: (manager: EntityManager) => Promise<void>): Promise<void> {
    await orConflict(UNIQUE_SERVER_NAME, 'tool_server_name', () => this.rows.manager.transaction(work));
    await this.offer.announce();
  }

  private async leaveGroup(manager: EntityManager, groupId: number): Promise<void> {
    const where = { groupIds: ArrayContains([groupId]) };
    const lock = { mode: 'pessimistic_write' } as const;
    for (const row of await manager.find(ToolServerEntity, { where, order: { id: 'ASC' }, lock })) {
      const listed = await this.listed(manager, row.id);
      const before = audited(row, listed);
      row.groupIds = row.groupIds.filter((id) => id !== groupId);
      await manager.save(row);
      await record(manager, 'update', row, before, audited(row, listed));
    }
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

  private one(id: number): Promise<ToolServer> {
    return readBack(async () => {
      const row = await this.require(this.rows.manager, id);
      return this.view(row, await this.listed(this.rows.manager, id));
    });
  }

  private view(row: ToolServerEntity, tools: readonly ServerToolEntity[]): ToolServer {
    const own = tools.filter(({ serverId }) => serverId === row.id);
    return toToolServer(row, own, openHeaders(row, this.secrets) === null);
  }
}

/** @throws AppError `invalid` */
const unsavedAccess = (url = '', headers: Record<string, string | null> = {}): ServerAccess => ({
  url: parseServerUrl(url),
  headers: parseHeaders(headers) ?? {},
});

function record(
  manager: EntityManager,
  action: 'create' | 'update' | 'delete',
  { id, name }: ToolServerEntity,
  before: object | null,
  after: object | null,
): Promise<void> {
  return recordChange(manager, { action: `tool_server.${action}`, target: { id, name }, before, after });
}

/** A server as the audit log shows it. Its headers are masked there. */
function audited(
  { name, url, plans, access, groupIds, headersSealed }: ToolServerEntity,
  tools: readonly ServerToolEntity[],
): object {
  // Not an object by name: the log masks the values of names such as `reset_password`.
  const policies = tools.map((tool) => `${tool.name}: ${tool.policy}${tool.changed === null ? '' : ', changed'}`);
  return { name, url, plans, access, groupIds, headers: headersSealed, tools: policies };
}

const tooMany = (): AppError =>
  new AppError('conflict', { reason: 'tool_servers', params: { max: TOOL_SERVER_LIMITS.servers } });
