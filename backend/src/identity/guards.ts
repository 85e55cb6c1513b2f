import { type CanActivate, createParamDecorator, type ExecutionContext, Injectable, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { AppError } from '../platform/errors/app-error.js';
import { mayAdminKeyCall } from './admin-key-routes.js';
import { type Identity, type Refusal, REFUSALS } from './identity.js';

const identityOf = (context: ExecutionContext): Identity | undefined =>
  context.switchToHttp().getRequest<Request>().identity;

/** Guard of account routes: guests get 401. */
@Injectable()
export class SignedInGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    if (identityOf(context)?.userId == null) throw new AppError('unauthenticated');
    return true;
  }
}

/** Guard of admin routes: guests get 401, other members 403. */
@Injectable()
export class AdminGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const identity = identityOf(context);
    if (identity?.userId == null) throw new AppError('unauthenticated');
    if (!identity.isAdmin) throw new AppError('forbidden');
    return true;
  }
}

const OPEN_TO = 'open-to';

/** Opens a route to clients that are refused elsewhere. */
export const OpenTo = (...refusals: Refusal[]) => SetMetadata(OPEN_TO, refusals);

/** Opens a route to every client. */
export const OpenToAll = () => OpenTo(...REFUSALS);

/**
 * Guard of every route: refuses clients with a `refusal`, and calls that a key of scope `admin` may not make. Sockets are
 * refused by `IdentityService`.
 */
@Injectable()
export class AccountGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    if (context.getType() !== 'http') return true;
    const identity = identityOf(context);
    if (identity?.adminKey !== undefined && !mayAdminKeyCall(context.switchToHttp().getRequest<Request>()))
      throw new AppError('forbidden', { reason: 'admin_key' });
    const refusal = identity?.refusal;
    if (refusal === undefined) return true;
    const open = this.reflector.get<Refusal[] | undefined>(OPEN_TO, context.getHandler());
    if (!open?.includes(refusal)) throw new AppError(refusal);
    return true;
  }
}

/** Parameter decorator: identity of the client, on routes that identify clients by cookie. */
export const CurrentIdentity = createParamDecorator((_: unknown, context: ExecutionContext): Identity => {
  const identity = identityOf(context);
  if (identity === undefined) throw new AppError('unauthenticated');
  return identity;
});

/** Parameter decorator: account id of the client, behind SignedInGuard or AdminGuard. */
export const CurrentUserId = createParamDecorator((_: unknown, context: ExecutionContext): number => {
  const userId = identityOf(context)?.userId;
  if (userId == null) throw new AppError('unauthenticated');
  return userId;
});
