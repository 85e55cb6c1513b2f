/** Control, format and other characters that can't be seen: two names that look alike must be alike. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

/**
 * What uniqueness and login compare: NFKC and case folded, so that `Admin`, `admin` and `ＡＤＭＩＮ` are one name.
 * Upper case first, as that is what folds letters such as ß and ς.
 */
export const usernameKey = (username: string): string =>
  username.trim().normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC');

/** Whether a name may be taken, its length aside. */
export const isUsername = (username: string): boolean => !INVISIBLE.test(username) && usernameKey(username) !== '';
