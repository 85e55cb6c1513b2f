/**
 * Failures of the last 30 days, so that admins find the cause of one from its id: of answers, and of requests that failed
 * on this side. The rooms in which they happen record them.
 * Not here: what members and programs read of a failure (`platform/errors`), what a provider says (`providers`).
 */

import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { FailureEntity } from './failure.entity.js';
import { FailureLog } from './failure-log.js';
import { FailuresController } from './failures.controller.js';
import { FailuresService } from './failures.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([FailureEntity])],
  controllers: [FailuresController],
  providers: [FailureLog, FailuresService],
  exports: [FailureLog],
})
export class FailuresModule {}
