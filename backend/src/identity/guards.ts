import { type CanActivate, createParamDecorator, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { AppError } from '../platform/errors/app-error.js';
import type { Identity } from './identity.js';

const identityOf = (context: ExecutionContext): Identity | undefined =>
  context.switchToHttp().getRequest<Request>().identity;

/** For routes of an account: guests get 401. */
@Injectable()
export class SignedInGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    if (identityOf(context)?.userId == null) throw new AppError('unauthenticated');
    return true;
  }
}

/** For admin routes: guests get 401, other members 403. */
@Injectable()
export class AdminGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const identity = identityOf(context);
    if (identity?.userId == null) throw new AppError('unauthenticated');
    if (!identity.isAdmin) throw new AppError('forbidden');
    return true;
  }
}

/** Who asks; set for every call that cookies identify. */
export const CurrentIdentity = createParamDecorator((_: unknown, context: ExecutionContext): Identity => {
  const identity = identityOf(context);
  if (identity === undefined) throw new AppError('unauthenticated');
  return identity;
});

/** The account that asks, behind SignedInGuard or AdminGuard. */
export const CurrentUserId = createParamDecorator((_: unknown, context: ExecutionContext): number => {
  const userId = identityOf(context)?.userId;
  if (userId == null) throw new AppError('unauthenticated');
  return userId;
});
