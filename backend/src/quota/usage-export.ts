import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { type DataSource, MoreThan } from 'typeorm';
import type { Owner } from '../platform/session/identity.js';
import { AccountLifecycleHooks } from '../platform/session/account-lifecycle-hooks.js';
import { rowsById } from '../platform/database/rows-by-id.js';
import { UsageRecordEntity } from './usage-record.entity.js';

const PAGE = 500;

/** What a member has used and why it was counted, for the file that they may take away. */
@Injectable()
export class UsageExport {
  constructor(@InjectDataSource() dataSource: DataSource, hooks: AccountLifecycleHooks) {
    const records = dataSource.getRepository(UsageRecordEntity);
    hooks.onExport('usage', (owner: Owner) =>
      rowsById((after) => records.find({ where: { owner, id: MoreThan(after) }, order: { id: 'ASC' }, take: PAGE })),
    );
  }
}
