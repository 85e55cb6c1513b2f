/**
 * The audit log: what admins change, and who logs in. A room records its change with `recordChange`, in the transaction of the change.
 * This room uses none of those rooms.
 */

import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditEntryEntity } from './audit-entry.entity.js';
import { LoginEvents } from './login-events.js';
import { AuditController } from './audit.controller.js';
import { AuditService } from './audit.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([AuditEntryEntity])],
  controllers: [AuditController],
  providers: [AuditService, LoginEvents],
  exports: [LoginEvents],
})
export class AuditModule {}
