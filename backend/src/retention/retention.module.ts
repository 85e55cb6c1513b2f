/**
 * How long threads stay after their last message: the rules that admins set, when they begin, and the counts of what they
 * deleted.
 * Not here: the deletion itself, its preview and its notices (`chat/threads`), the calls (`chat/transport`).
 */

import { Global, Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { SharedTables } from '../platform/bus/shared-tables.js';
import { RetentionService } from './retention.service.js';

@Global()
@Module({
  providers: [
    {
      provide: RetentionService,
      inject: [DataSource, SharedTables],
      useFactory: (dataSource: DataSource, tables: SharedTables) => RetentionService.open({ dataSource, tables }),
    },
  ],
  exports: [RetentionService],
})
export class RetentionModule {}
