import { type AdminUser, type Budget, BUDGET_PERIODS, LANGUAGES } from '@tanya/contract';
import {
  boolean,
  integer,
  listOf,
  nullable,
  oneOf,
  ref,
  type Schema,
  type Schemas,
  shape,
  text,
} from './schema-parts.js';

const choice = (...values: readonly string[]): Schema => ({ ...oneOf(...values), nullable: true });

export const ACCOUNT_SCHEMAS: Schemas = {
  Budget: shape<Budget>({
    limitUsd: text,
    spentUsd: text,
    heldUsd: text,
    remainingUsd: text,
    period: oneOf(...BUDGET_PERIODS),
    resetsAt: { ...nullable, description: 'null when the budget never resets' },
  }),
  AdminUser: shape<AdminUser>(
    {
      id: integer,
      username: text,
      fullName: nullable,
      email: nullable,
      phoneNumber: nullable,
      isPremium: boolean,
      isAdmin: boolean,
      messageCount: { ...integer, description: 'Messages of all periods' },
      hasTotp: boolean,
      language: choice(...LANGUAGES),
      isApproved: boolean,
      isSuspended: boolean,
      mustChangePassword: { ...boolean, description: 'Whether a new password has to be chosen at the next login' },
      isService: { ...boolean, description: 'An account of programs, which cannot sign in' },
      quotaUsed: { ...integer, description: 'Messages used in the current quota period' },
      quotaOverride: { ...integer, nullable: true, description: 'Messages per quota period; -1 is unlimited' },
      groupIds: listOf(integer),
      quotaLimit: { ...integer, description: 'Messages per quota period in effect; -1 is unlimited' },
      budgetUsd: nullable,
      budgetPeriod: choice(...BUDGET_PERIODS),
      budget: { nullable: true, allOf: [ref('Budget')] },
      createdAt: text,
      lastSeenAt: nullable,
    },
    ['mustChangePassword', 'quotaUsed', 'budgetUsd', 'budgetPeriod', 'budget'],
  ),
};
