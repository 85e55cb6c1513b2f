import type { AdminUser } from '@tanya/contract';
import { account } from './fake-account';
import { changedFields, toCreateRequest, valuesOf } from './user-form-values';

const user: AdminUser = {
  ...account,
  id: 7,
  username: 'budi',
  fullName: 'Budi Santoso',
  phoneNumber: '081234',
  messageCount: 3,
};

describe('changedFields', () => {
  it('is empty when nothing changed', () => {
    expect(changedFields(user, valuesOf(user))).toEqual({});
    expect(changedFields(user, { ...valuesOf(user), username: ' budi ' })).toEqual({});
  });

  it('contains the budget as the server takes it', () => {
    const values = { ...valuesOf(user), budgetUsd: ' 12.50 ', budgetPeriod: 'weekly' as const };
    expect(changedFields(user, values)).toEqual({ budgetUsd: '12.50', budgetPeriod: 'weekly' });
    const limited = { ...user, budgetUsd: '5', budgetPeriod: 'daily' as const };
    expect(changedFields(limited, valuesOf(limited))).toEqual({});
    expect(changedFields(limited, { ...valuesOf(limited), budgetUsd: '', budgetPeriod: '' as const })).toEqual({
      budgetUsd: null,
      budgetPeriod: null,
    });
  });

  it('contains only the changed fields', () => {
    const values = { ...valuesOf(user), isPremium: true, phoneNumber: '', password: 'new-secret' };
    expect(changedFields(user, values)).toEqual({ isPremium: true, phoneNumber: '', password: 'new-secret' });
  });

  it('contains the message limit as a number, or null for the limit of the plan', () => {
    expect(changedFields(user, { ...valuesOf(user), quotaOverride: ' 50 ' })).toEqual({ quotaOverride: 50 });
    const limited = { ...user, quotaOverride: -1 };
    expect(changedFields(limited, valuesOf(limited))).toEqual({});
    expect(changedFields(limited, { ...valuesOf(limited), quotaOverride: '' })).toEqual({ quotaOverride: null });
  });
});

describe('toCreateRequest', () => {
  it('omits blank optional fields', () => {
    const values = { ...valuesOf(null), username: ' siti ', password: 'secret-12', email: ' ' };
    expect(toCreateRequest(values)).toEqual({
      username: 'siti',
      password: 'secret-12',
      isPremium: false,
      isAdmin: false,
    });
  });
});
