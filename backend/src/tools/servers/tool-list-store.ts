import { Injectable } from '@nestjs/common';
import { TOOL_SERVER_LIMITS } from '@tanya/contract';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { statement } from '../../platform/database/named-parameters.js';
import { SharedTables } from '../../platform/bus/shared-tables.js';
import { ServerToolEntity } from './server-tool.entity.js';
import { ServerFailure } from '../mcp/server-failure.js';
import { hashOf, type NamedDefinition, type ToolList } from '../mcp/tool-definitions.js';
import { toolNameFor } from './tool-names.js';
import { ToolServerEntity } from './tool-server.entity.js';

/** Rows of tools that a server no longer lists. The newest are kept with their policy. */
const MAX_UNLISTED = 256;

const UNLIST =
  'update server_tool set is_listed = false where server_id = $1 and is_listed and name <> all($2::text[])';
const PRUNE = `delete from server_tool where server_id = $1 and name in (
  select name from server_tool where server_id = $1 and not is_listed order by created_at desc, name offset ${MAX_UNLISTED})`;

/** @param shown JSON of the first ones */
const storeLeftOut = statement<{ serverId: number; count: number; shown: string }>(
  'update tool_server set left_out = :count, left_out_tools = :shown where id = :serverId',
);

/** Stores the lists of tools that servers give, and compares their definitions with the accepted ones. */
@Injectable()
export class ToolListStore {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly tables: SharedTables,
  ) {}

  /**
   * Stores a list. A new tool is accepted as it is, with the policy `ask`. No effect when the server is deleted.
   * @param mayBeEmpty also for a server with tools
   * @throws ServerFailure for an empty list, which servers also give while they start
   */
  async store(serverId: number, { tools, leftOut }: ToolList, mayBeEmpty: boolean): Promise<void> {
    const changes = await this.dataSource.transaction(async (manager) => {
      // The row first, as a change or deletion of the server locks it.
      const lock = { mode: 'pessimistic_write' } as const;
      const server = await manager.findOne(ToolServerEntity, { where: { id: serverId }, lock });
      if (server === null) return 0;
      const isEmpty = tools.length === 0 && leftOut.length === 0;
      if (isEmpty && !mayBeEmpty && (await manager.existsBy(ServerToolEntity, { serverId, isListed: true })))
        throw new ServerFailure('invalid_answer');
      // Names of tools are unique over all servers, so lists are stored one after another.
      await manager.query('lock table server_tool in share row exclusive mode');
      const shown = JSON.stringify(leftOut.slice(0, TOOL_SERVER_LIMITS.leftOut));
      await manager.query(...storeLeftOut({ serverId, count: leftOut.length, shown }));
      return this.merge(manager, server, tools);
    });
    if (changes > 0) await this.tables.announce('server_tool');
  }

  /** @returns the number of changed rows */
  private async merge(manager: EntityManager, server: ToolServerEntity, tools: NamedDefinition[]): Promise<number> {
    const rows = await manager.findBy(ServerToolEntity, { serverId: server.id });
    const known = new Map(rows.map((row) => [row.name, row]));
    let changes = 0;
    for (const [index, tool] of tools.entries()) {
      const row = known.get(tool.name) ?? (await this.newRow(manager, server, tool));
      const before = JSON.stringify([row.changedHash, row.isListed, row.position]);
      row.position = index + 1;
      row.isListed = true;
      // Earlier versions have hashed the same definition to another value.
      const isAccepted = row.acceptedHash === tool.hash || hashOf(row.accepted) === tool.hash;
      row.changed = isAccepted ? null : tool.definition;
      row.changedHash = isAccepted ? null : tool.hash;
      if (before === JSON.stringify([row.changedHash, row.isListed, row.position])) continue;
      await manager.save(row);
      changes += 1;
    }
    const listed = tools.map(({ name }) => name);
    const [, unlisted] = await manager.query<[unknown, number]>(UNLIST, [server.id, listed]);
    if (unlisted > 0) await manager.query(PRUNE, [server.id]);
    return changes + unlisted;
  }

  private async newRow(
    manager: EntityManager,
    { id, slug }: ToolServerEntity,
    { name, definition, hash }: NamedDefinition,
  ): Promise<ServerToolEntity> {
    const taken = await manager.query<{ tool_name: string }[]>('select tool_name from server_tool');
    const names = new Set(taken.map(({ tool_name }) => tool_name));
    return manager.create(ServerToolEntity, {
      serverId: id,
      name,
      toolName: toolNameFor(slug, name, `${id}:${name}`, (other) => names.has(other)),
      policy: 'ask',
      accepted: definition,
      acceptedHash: hash,
      changed: null,
      changedHash: null,
      isListed: false,
      position: 0,
    });
  }
}
