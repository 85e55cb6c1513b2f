import type { AuditEntry } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LessThan, type Repository } from 'typeorm';
import { AuditEntryEntity } from './audit-entry.entity.js';

@Injectable()
export class AuditService {
  constructor(@InjectRepository(AuditEntryEntity) private readonly entries: Repository<AuditEntryEntity>) {}

  async list(limit: number, before: number | null): Promise<{ entries: AuditEntry[]; nextCursor: number | null }> {
    const rows = await this.entries.find({
      where: before === null ? {} : { id: LessThan(before) },
      order: { id: 'DESC' },
      take: limit + 1,
    });
    const page = rows.slice(0, limit);
    return { entries: page.map(toEntry), nextCursor: rows.length > limit ? page.at(-1)!.id : null };
  }
}

const toEntry = (row: AuditEntryEntity): AuditEntry => ({
  id: row.id,
  createdAt: row.createdAt.toISOString(),
  actor: { id: row.actorId, username: row.actorName },
  address: row.address,
  action: row.action,
  target: { kind: row.targetKind, id: row.targetId, name: row.targetName },
  before: row.before,
  after: row.after,
});
