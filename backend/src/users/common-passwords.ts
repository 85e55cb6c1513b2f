import { dictionary } from '@zxcvbn-ts/language-common';
import { LIMITS } from '@tanya/contract';

/** Refused passwords: the most frequent ones of the dictionary that have the minimum length. */
const REFUSED_COUNT = 3000;

const common = new Set(
  dictionary.passwords.filter(({ length }) => length >= LIMITS.password.min).slice(0, REFUSED_COUNT),
);

/** Whether the password is among the first that a guessing attack tries. */
export const isCommonPassword = (password: string): boolean => common.has(password.toLowerCase());
