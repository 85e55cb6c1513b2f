import {
  type CallHandler,
  type ExecutionContext,
  Inject,
  Injectable,
  type NestInterceptor,
  SetMetadata,
} from '@nestjs/common';
import { GUARDS_METADATA } from '@nestjs/common/constants.js';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { type Observable, tap } from 'rxjs';
import { AdminGuard } from '../identity/guards.js';
import { LOGGER, type Logger } from '../platform/observability/logging.js';
import { type AdminCall, handleAdminCall } from './audit-log.js';

const CHANGES_NOTHING = 'changes-nothing';

/** Marks a call of admins that changes nothing although its method is not GET, such as a connection test. */
export const ChangesNothing = () => SetMetadata(CHANGES_NOTHING, true);

/**
 * Interceptor of every route: handles the changing calls behind `AdminGuard` with their actor, and reports a call that
 * succeeded without `recordChange`. A test makes every such call and fails for one without an entry.
 */
@Injectable()
export class AuditInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    if (context.getType() !== 'http') return next.handle();
    const { method, identity } = context.switchToHttp().getRequest<Request>();
    const handler = [context.getHandler(), context.getClass()];
    const guards = this.reflector.getAllAndMerge<unknown[]>(GUARDS_METADATA, handler);
    const changes = method !== 'GET' && !this.reflector.getAllAndOverride<boolean | undefined>(CHANGES_NOTHING, handler);
    if (identity?.userId == null || !changes || !guards.includes(AdminGuard)) return next.handle();
    const call: AdminCall = { actorId: identity.userId, address: identity.address, isRecorded: false };
    const route = `${context.getClass().name}.${context.getHandler().name}`;
    return handleAdminCall(call, () => next.handle()).pipe(
      tap({
        complete: () => {
          if (!call.isRecorded) this.logger.error({ route, actorId: call.actorId }, 'admin change has no audit entry');
        },
      }),
    );
  }
}
