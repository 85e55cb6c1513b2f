import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { type DataSource, MoreThan } from 'typeorm';
import type { Owner } from '../identity/identity.js';
import { AccountLifecycleHooks } from '../identity/account-lifecycle-hooks.js';
import { rowsById } from '../platform/database/rows-by-id.js';
import { UsageRecordEntity } from './usage-record.entity.js';

const PAGE_SIZE = 500;

/** Adds a member's usage records to the account export. */
@Injectable()
export class UsageExport {
  constructor(@InjectDataSource() dataSource: DataSource, hooks: AccountLifecycleHooks) {
    const records = dataSource.getRepository(UsageRecordEntity);
    hooks.onExport('usage', (owner: Owner) =>
      rowsById((after) =>
        records.find({ where: { owner, id: MoreThan(after) }, order: { id: 'ASC' }, take: PAGE_SIZE }),
      ),
    );
  }
}
