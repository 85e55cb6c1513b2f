import { LIMITS, type RegisterRequest } from '@tanya/contract';
import { t } from '../../app/i18n/translate';

export interface RegisterValues extends Required<Omit<RegisterRequest, 'invitation'>> {
  confirmPassword: string;
  terms: boolean;
}

export const EMPTY: RegisterValues = {
  fullName: '',
  username: '',
  password: '',
  confirmPassword: '',
  email: '',
  phoneNumber: '',
  terms: false,
};

const EMAIL = /^[^\s@]+@[^\s@][^\s@.]*\.[^\s@]+$/;

export const RULES = {
  fullName: (value: string) =>
    value.trim() === '' || value.trim().length >= LIMITS.fullName.min || t('validation.fullName'),
  username: (value: string) => value.trim() !== '' || t('login.usernameRequired'),
  password: (value: string) =>
    value.length >= LIMITS.password.min || t('login.passwordLength', { min: LIMITS.password.min }),
  confirmPassword: (value: string, { password }: Pick<RegisterValues, 'password'>) =>
    value === password || t('validation.passwordsDiffer'),
  email: (value: string) => EMAIL.test(value.trim()) || t('validation.email'),
  phoneNumber: (value: string) => value.trim().length >= LIMITS.phoneNumber.min || t('validation.phoneNumber'),
  terms: (value: unknown) => value === true || t('login.termsRequired'),
};

/** The request body, without the repeated password and an empty name. */
export function toRequest(values: RegisterValues): RegisterRequest {
  const fullName = values.fullName.trim();
  return {
    username: values.username.trim(),
    password: values.password,
    email: values.email.trim(),
    phoneNumber: values.phoneNumber.trim(),
    ...(fullName && { fullName }),
  };
}
