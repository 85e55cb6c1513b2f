import { type CanActivate, createParamDecorator, type ExecutionContext, Injectable, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { AppError } from '../platform/errors/app-error.js';
import type { Identity } from './identity.js';

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

const BEFORE_ENROLLMENT = 'before-enrollment';

/** Allows a route to accounts that must enrol a second factor first. */
export const AllowedBeforeEnrollment = () => SetMetadata(BEFORE_ENROLLMENT, true);

const WHILE_SUSPENDED = 'while-suspended';

export const AllowedWhileSuspended = () => SetMetadata(WHILE_SUSPENDED, true);

/**
 * Guard of every route: refuses sessions of suspended accounts, and accounts whose role requires a second factor until
 * they have one. Sockets are refused by `IdentityService`.
 */
@Injectable()
export class AccountGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    if (context.getType() !== 'http') return true;
    const identity = identityOf(context);
    const allows = (mark: string) => this.reflector.get<boolean | undefined>(mark, context.getHandler());
    if (identity?.isSuspended && !allows(WHILE_SUSPENDED)) throw new AppError('account_suspended');
    if (identity?.mustEnrollTotp && !allows(BEFORE_ENROLLMENT)) throw new AppError('totp_enrollment_required');
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
