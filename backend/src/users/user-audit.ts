import type { EntityManager } from 'typeorm';
import { changeOfRow, eraseValues, recordChange } from '../audit/audit-log.js';
import type { UserEntity } from './user.entity.js';

/** Fields that an admin can change. The audit log masks the hash. */
const FIELDS: readonly (keyof UserEntity)[] = [
  ...(['username', 'fullName', 'email', 'phoneNumber', 'passwordHash', 'isPremium', 'isAdmin'] as const),
  ...([
    'isApproved',
    'isSuspended',
    'mustChangePassword',
    'isService',
    'quotaOverride',
    'budgetUsd',
    'budgetPeriod',
  ] as const),
  'hasTotp',
];

const PERSONAL_FIELDS = ['fullName', 'email', 'phoneNumber'];

const audited = (user: UserEntity): object => Object.fromEntries(FIELDS.map((field) => [field, user[field]]));

/** Records what an admin changes of an account; null is an account that does not exist before or after. */
export const recordUserChange = (
  manager: EntityManager,
  action: 'create' | 'update' | 'delete' | 'reset_totp',
  before: UserEntity | null,
  after: UserEntity | null,
): Promise<void> => recordChange(manager, changeOfRow(`user.${action}`, before, after, audited, 'username'));

export const recordEndOfSessions = (manager: EntityManager, { id, username }: UserEntity): Promise<void> =>
  recordChange(manager, { action: 'user.end_sessions', target: { id, name: username }, before: null, after: {} });

export const recordEndOfApiKeys = (manager: EntityManager, { id, username }: UserEntity): Promise<void> =>
  recordChange(manager, { action: 'user.end_api_keys', target: { id, name: username }, before: null, after: {} });

/** Removes the personal data of a deleted account from the audit log. Its username stays. */
export const eraseUserValues = (manager: EntityManager, id: number): Promise<void> =>
  eraseValues(manager, 'user', id, PERSONAL_FIELDS);
