import { dictionary } from '@zxcvbn-ts/language-common';
import { LIMITS } from '@tanya/contract';

/** As many as are tried first by whoever guesses, counted among those that are long enough to be chosen at all. */
const REFUSED = 3000;

const common = new Set(dictionary.passwords.filter(({ length }) => length >= LIMITS.password.min).slice(0, REFUSED));

/** Whether everybody who guesses passwords tries this one early. */
export const isCommonPassword = (password: string): boolean => common.has(password.toLowerCase());
