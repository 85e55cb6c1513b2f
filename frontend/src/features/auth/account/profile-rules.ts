import type { UpdateProfileRequest, User } from '@tanya/contract';
import { RULES } from '../register-rules';

export interface ProfileValues {
  fullName: string;
  email: string;
  phoneNumber: string;
  currentPassword: string;
}

export function profileOf(user: User): ProfileValues {
  return {
    fullName: user.fullName ?? '',
    email: user.email ?? '',
    phoneNumber: user.phoneNumber ?? '',
    currentPassword: '',
  };
}

/** The rules of the registration. An account that an admin created may have no email or phone number; it may stay so. */
export function profileRules(user: User) {
  const stored = profileOf(user);
  return {
    fullName: RULES.fullName,
    email: (value: string) => value.trim() === stored.email || RULES.email(value),
    phoneNumber: (value: string) => value.trim() === stored.phoneNumber || RULES.phoneNumber(value),
  };
}

/** Whether the address differs from the stored one, so that the server asks for the password. */
export function isNewEmail(user: User, email: string): boolean {
  return email.trim() !== (user.email ?? '');
}

/** The fields that differ from the account, trimmed. */
export function changedFields(user: User, values: ProfileValues): UpdateProfileRequest {
  const stored = profileOf(user);
  const changes: UpdateProfileRequest = {};
  for (const field of ['fullName', 'email', 'phoneNumber'] as const) {
    const value = values[field].trim();
    if (value !== stored[field]) changes[field] = value;
  }
  return changes.email === undefined ? changes : { ...changes, currentPassword: values.currentPassword || undefined };
}
