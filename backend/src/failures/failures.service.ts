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

/** The last failure of a page by its time in ms and its id: it may be deleted, with its account, before the next page. */
interface FailureCursor {
  time: number;
  id: number;
}

export const writeFailureCursor = ({ time, id }: FailureCursor): string => `${time}_${id}`;

export function parseFailureCursor(text: string): FailureCursor | null {
  const [, time, id] = /^(\d{1,15})_(\d{1,15})$/.exec(text) ?? [];
  return time === undefined ? null : { time: Number(time), id: Number(id) };
}

/** Rows of a piece of the file. */
const ROWS = 500;

@Injectable()
export class FailuresService {
  constructor(@InjectRepository(FailureEntity) private readonly failures: Repository<FailureEntity>) {}

  /** Failures from the newest to the oldest, after the last one of the page before. */
  async list(
    filter: FailureFilter,
    limit: number,
    before: FailureCursor | null,
  ): Promise<{ failures: Failure[]; next: FailureCursor | null }> {
    const wanted = this.failures
      .createQueryBuilder('failure')
      .leftJoin('failure.user', 'person')
      .leftJoin('failure.apiKey', 'key')
      .addSelect(['person.id', 'person.username', 'key.id', 'key.name'])
      .orderBy('failure.createdAt', 'DESC')
      .addOrderBy('failure.id', 'DESC')
      .limit(limit + 1);
    if (before !== null)
      wanted.where('(failure.createdAt, failure.id) < (:at, :id)', { at: new Date(before.time), id: before.id });
    applyFilter(wanted, filter);
    const rows = await wanted.getMany();
    const page = rows.slice(0, limit);
    const last = rows.length > limit ? page.at(-1) : undefined;
    return { failures: page.map(toFailure), next: last ? { time: last.createdAt.getTime(), id: last.id } : null };
  }

  /** The lines of a file with all failures of a filter, in pieces. */
  async *linesOf(filter: FailureFilter): AsyncIterable<string> {
    yield csvHead(COLUMNS);
    let before: FailureCursor | null = null;
    do {
      const { failures, next } = await this.list(filter, ROWS, before);
      if (failures.length > 0) yield csvLines(failures.map(cellsOf));
      before = next;
    } while (before !== null);
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
