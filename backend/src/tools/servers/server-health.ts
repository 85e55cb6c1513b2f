import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { LOGGER, type Logger } from '../../platform/observability/logging.js';
import type { ServerFailure } from '../mcp/server-failure.js';
import { ToolServerEntity } from './tool-server.entity.js';

/** A node writes the same outcome of a server at most this often. */
const INTERVAL_MS = 60_000;

/** `updated_at` stays: an outcome is not a change by an admin. */
const RECORD_SUCCESS =
  'update tool_server set last_success_at = now(), last_error = null, last_error_at = null where id = $1';
const RECORD_FAILURE = 'update tool_server set last_error = $2::jsonb, last_error_at = now() where id = $1';

/** Stores the last success and the last failure of each MCP server, so that all nodes show them. A success ends a failure. */
@Injectable()
export class ServerHealth {
  /** The last written outcome by server: null for a success, else the fault. */
  private readonly written = new Map<number, { fault: string | null; at: number }>();

  constructor(
    @InjectRepository(ToolServerEntity) private readonly rows: Repository<ToolServerEntity>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Records the outcome of a call. Never throws: without Postgres the outcome is lost. */
  async record(serverId: number, failure: ServerFailure | null): Promise<void> {
    const last = this.written.get(serverId);
    const fault = failure?.fault ?? null;
    if (last !== undefined && last.fault === fault && performance.now() - last.at < INTERVAL_MS) return;
    try {
      await this.write(serverId, failure);
    } catch (error) {
      this.written.delete(serverId);
      this.logger.warn({ err: error, serverId }, 'tool server outcome not recorded; showing the previous one');
    }
  }

  /** Records an outcome at once. */
  async write(serverId: number, failure: ServerFailure | null): Promise<void> {
    this.written.set(serverId, { fault: failure?.fault ?? null, at: performance.now() });
    if (failure === null) await this.rows.query(RECORD_SUCCESS, [serverId]);
    else {
      const stored = { fault: failure.fault, message: failure.forAdmins };
      await this.rows.query(RECORD_FAILURE, [serverId, JSON.stringify(stored)]);
    }
  }
}
