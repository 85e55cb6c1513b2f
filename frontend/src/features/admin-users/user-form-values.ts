import type { AdminUser, CreateUserRequest, UpdateUserRequest } from '@tanya/contract';

export interface UserFormValues {
  fullName: string;
  username: string;
  password: string;
  email: string;
  phoneNumber: string;
  isPremium: boolean;
  isAdmin: boolean;
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
  };
}

/** The request body of a new user, without blank optional fields. */
export function toCreateRequest(values: UserFormValues): CreateUserRequest {
  const { fullName, email, phoneNumber } = trimmed(values);
  return {
    username: values.username.trim(),
    password: values.password,
    isPremium: values.isPremium,
    isAdmin: values.isAdmin,
    ...(fullName && { fullName }),
    ...(email && { email }),
    ...(phoneNumber && { phoneNumber }),
  };
}

/** The fields that differ from the stored user; a blank password keeps the old one. */
export function changedFields(user: AdminUser, values: UserFormValues): UpdateUserRequest {
  const before: UserFormValues = valuesOf(user);
  const after = trimmed(values);
  return Object.fromEntries(
    Object.entries(after).filter(([field, value]) => value !== before[field as keyof UserFormValues]),
  );
}

function trimmed(values: UserFormValues): UserFormValues {
  return {
    ...values,
    fullName: values.fullName.trim(),
    username: values.username.trim(),
    email: values.email.trim(),
    phoneNumber: values.phoneNumber.trim(),
  };
}
