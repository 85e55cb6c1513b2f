import { type AdminUser, type BudgetPeriod, type CreateUserRequest, type UpdateUserRequest } from '@tanya/contract';
import { amountOf } from '../../components/forms/budget-values';

/** `isService` is chosen for a new account alone. */
export interface UserFormValues extends Required<CreateUserRequest> {
  mustChangePassword: boolean;
  /** A whole number; blank keeps the plan's limit. Absent from the form of a new user. */
  quotaOverride: string;
  /** USD; blank keeps the plan's budget. */
  budgetUsd: string;
  /** Blank follows the settings. */
  budgetPeriod: BudgetPeriod | '';
}

export function valuesOf(user: AdminUser | null): UserFormValues {
  return {
    fullName: user?.fullName ?? '',
    username: user?.username ?? '',
    password: '',
    email: user?.email ?? '',
    phoneNumber: user?.phoneNumber ?? '',
    isPremium: user?.isPremium ?? false,
    isAdmin: user?.isAdmin ?? false,
    isService: user?.isService ?? false,
    mustChangePassword: user?.mustChangePassword ?? false,
    quotaOverride: user?.quotaOverride == null ? '' : String(user.quotaOverride),
    budgetUsd: user?.budgetUsd ?? '',
    budgetPeriod: user?.budgetPeriod ?? '',
  };
}

/** The request body of a new user, without blank optional fields. */
export function toCreateRequest(values: UserFormValues): CreateUserRequest {
  const { fullName, email, phoneNumber } = trimmed(values);
  return {
    username: values.username.trim(),
    isPremium: values.isPremium,
    ...(values.isService ? { isService: true } : { password: values.password, isAdmin: values.isAdmin }),
    ...(fullName && { fullName }),
    ...(email && { email }),
    ...(phoneNumber && { phoneNumber }),
  };
}

/** The fields that differ from the stored user; a blank password keeps the old one. */
export function changedFields(user: AdminUser, values: UserFormValues): UpdateUserRequest {
  const before: UserFormValues = valuesOf(user);
  const after = trimmed(values);
  const { quotaOverride, budgetUsd, budgetPeriod, ...changes } = Object.fromEntries(
    Object.entries(after).filter(([field, value]) => value !== before[field as keyof UserFormValues]),
  ) as Partial<UserFormValues>;
  return {
    ...changes,
    ...(quotaOverride !== undefined && { quotaOverride: quotaOverride === '' ? null : Number(quotaOverride) }),
    ...(budgetUsd !== undefined && { budgetUsd: amountOf(budgetUsd) }),
    ...(budgetPeriod !== undefined && { budgetPeriod: budgetPeriod || null }),
  };
}

function trimmed(values: UserFormValues): UserFormValues {
  return {
    ...values,
    fullName: values.fullName.trim(),
    username: values.username.trim(),
    email: values.email.trim(),
    phoneNumber: values.phoneNumber.trim(),
    quotaOverride: values.quotaOverride.trim(),
    budgetUsd: values.budgetUsd.trim(),
  };
}
