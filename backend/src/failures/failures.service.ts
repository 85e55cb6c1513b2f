import type { Failure } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { csvHead, csvLines } from '../platform/http/csv.js';
import { FailureEntity } from './failure.entity.js';
import { applyFilter, type FailureFilter } from './failure-filter.js';

const COLUMNS = [
  ...['id', 'time', 'code', 'status', 'provider_message', 'provider_type', 'provider_code', 'provider_param'],
  ...['model', 'connection_id', 'connection', 'user_id', 'user', 'key_id', 'key', 'generation_id', 'request_id'],
];

/** Rows of a piece of the file. */
const ROWS = 500;

@Injectable()
export class FailuresService {
  constructor(@InjectRepository(FailureEntity) private readonly failures: Repository<FailureEntity>) {}

  /** Failures from the newest to the oldest, older than the failure `before`. */
  async list(
    filter: FailureFilter,
    limit: number,
    before: number | null,
  ): Promise<{ failures: Failure[]; nextCursor: number | null }> {
    const wanted = this.failures
      .createQueryBuilder('failure')
      .leftJoin('failure.user', 'person')
      .leftJoin('failure.apiKey', 'key')
      .addSelect(['person.id', 'person.username', 'key.id', 'key.name'])
      .orderBy('failure.createdAt', 'DESC')
      .addOrderBy('failure.id', 'DESC')
      .limit(limit + 1);
    if (before !== null) {
      const cursor = await this.failures.findOne({ where: { id: before }, select: { createdAt: true } });
      // A failure that is gone was the oldest.
      if (cursor === null) return { failures: [], nextCursor: null };
      wanted.where('(failure.createdAt, failure.id) < (:at, :before)', { at: cursor.createdAt, before });
    }
    applyFilter(wanted, filter);
    const rows = await wanted.getMany();
    const page = rows.slice(0, limit);
    return { failures: page.map(toFailure), nextCursor: rows.length > limit ? page.at(-1)!.id : null };
  }

  /** The lines of a file with all failures of a filter, in pieces. */
  async *linesOf(filter: FailureFilter): AsyncIterable<string> {
    yield csvHead(COLUMNS);
    let cursor: number | null = null;
    do {
      const { failures, nextCursor } = await this.list(filter, ROWS, cursor);
      if (failures.length > 0) yield csvLines(failures.map(cellsOf));
      cursor = nextCursor;
    } while (cursor !== null);
  }
}

const toFailure = (row: FailureEntity): Failure => ({
  id: row.id,
  createdAt: row.createdAt.toISOString(),
  code: row.code,
  status: row.status,
  provider: row.provider,
  modelId: row.modelId,
  connection: row.connectionId === null ? null : { id: row.connectionId, name: row.connectionName },
  user: row.user ? { id: row.user.id, username: row.user.username } : null,
  apiKey: row.apiKeyId === null ? null : { id: row.apiKeyId, name: row.apiKey?.name ?? null },
  generationId: row.generationId,
  requestId: row.requestId,
});

const cellsOf = ({ provider, connection, user, apiKey, ...failure }: Failure): unknown[] => [
  ...[failure.id, failure.createdAt, failure.code, failure.status],
  ...[provider?.message, provider?.type, provider?.code, provider?.param],
  ...[failure.modelId, connection?.id, connection?.name, user?.id, user?.username, apiKey?.id, apiKey?.name],
  ...[failure.generationId, failure.requestId],
];
