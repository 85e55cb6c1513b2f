import type { AuditEntry } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { csvHead, csvLines } from '../platform/http/csv.js';
import { AuditEntryEntity } from './audit-entry.entity.js';
import { applyFilter, type AuditFilter } from './audit-filter.js';

const COLUMNS = [
  'id',
  'time',
  'actor_id',
  'actor',
  'actor_key',
  'address',
  'action',
  'target_kind',
  'target_id',
  'target',
  'before',
  'after',
];

/** Rows of a piece of the file. An entry can have many values of 2,000 characters. */
const ROWS = 200;

@Injectable()
export class AuditService {
  constructor(@InjectRepository(AuditEntryEntity) private readonly entries: Repository<AuditEntryEntity>) {}

  /** Entries from the newest to the oldest, older than the entry `before`. */
  async list(
    filter: AuditFilter,
    limit: number,
    before: number | null,
  ): Promise<{ entries: AuditEntry[]; nextCursor: number | null }> {
    const wanted = this.entries
      .createQueryBuilder('entry')
      .orderBy('entry.id', 'DESC')
      .limit(limit + 1);
    if (before !== null) wanted.where('entry.id < :before', { before });
    applyFilter(wanted, filter);
    const rows = await wanted.getMany();
    const page = rows.slice(0, limit);
    return { entries: page.map(toEntry), nextCursor: rows.length > limit ? page.at(-1)!.id : null };
  }

  /** The lines of a file with all entries of a filter, in pieces. The values are JSON. */
  async *linesOf(filter: AuditFilter): AsyncIterable<string> {
    yield csvHead(COLUMNS);
    let cursor: number | null = null;
    do {
      const { entries, nextCursor } = await this.list(filter, ROWS, cursor);
      if (entries.length > 0) yield csvLines(entries.map(cellsOf));
      cursor = nextCursor;
    } while (cursor !== null);
  }
}

const toEntry = (row: AuditEntryEntity): AuditEntry => ({
  id: row.id,
  createdAt: row.createdAt.toISOString(),
  actor: {
    id: row.actorId,
    username: row.actorName,
    key: row.actorKeyId === null ? null : { id: row.actorKeyId, name: row.actorKeyName! },
  },
  address: row.address,
  action: row.action,
  target: { kind: row.targetKind, id: row.targetId, name: row.targetName },
  before: row.before,
  after: row.after,
});

const cellsOf = ({ id, createdAt, actor, address, action, target, before, after }: AuditEntry): unknown[] => [
  id,
  createdAt,
  actor.id,
  actor.username,
  actor.key?.name ?? null,
  address,
  action,
  target.kind,
  target.id,
  target.name,
  before && JSON.stringify(before),
  after && JSON.stringify(after),
];
