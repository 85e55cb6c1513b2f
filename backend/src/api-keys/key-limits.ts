import type { KeyBounds, LimitKeyRequest, UpdateApiKeyRequest } from '@tanya/contract';
import Big from 'big.js';
import { AppError, refuseField } from '../platform/errors/app-error.js';
import { presentFields } from '../platform/http/present-fields.js';
import type { ApiKeyEntity } from './api-key.entity.js';

/** The columns of the limits in a request; undefined for those that it omits. @throws AppError `invalid` for a past time */
export function limitsIn({ expiresAt, messageCap, budgetUsd, models }: UpdateApiKeyRequest) {
  const expiry = expiresAt == null ? expiresAt : new Date(expiresAt);
  if (expiry && expiry.getTime() <= Date.now()) throw refuseField('expiresAt', 'future');
  return {
    expiresAt: expiry,
    messageCap,
    budgetUsd: budgetUsd == null ? budgetUsd : String(budgetUsd),
    models: models && [...new Set(models)],
  };
}

/** The limits that bind the owner after an admin's change: null lifts one. */
export function bindLimits(before: KeyBounds, request: LimitKeyRequest): KeyBounds {
  const { expiresAt, ...others } = limitsIn(request);
  const given = presentFields({ ...others, expiresAt: expiresAt?.toISOString() ?? (expiresAt as null | undefined) });
  const after = Object.entries({ ...before, ...given }).filter(([, value]) => value !== null);
  return Object.fromEntries(after);
}

/** @throws AppError `forbidden` for a change by the owner that exceeds a limit of an admin */
export function ensureWithin(bounds: KeyBounds, changes: Partial<ApiKeyEntity>): void {
  const exceeds = {
    messageCap: () => (changes.messageCap ?? Infinity) > bounds.messageCap!,
    budgetUsd: () => changes.budgetUsd == null || new Big(changes.budgetUsd).gt(bounds.budgetUsd!),
    expiresAt: () => (changes.expiresAt?.getTime() ?? Infinity) > Date.parse(bounds.expiresAt!),
    models: () => changes.models?.every((model) => bounds.models!.includes(model)) !== true,
  };
  for (const [field, isExceeded] of Object.entries(exceeds) as [keyof typeof exceeds, () => boolean][]) {
    if (bounds[field] === undefined || changes[field] === undefined || !isExceeded()) continue;
    throw new AppError('forbidden', { reason: 'key_limit' });
  }
}
