/** Control, format and other invisible characters, which would make different names look alike. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

/**
 * The form of a username that uniqueness and login compare: NFKC and case folded, so that `Admin`, `admin` and `ＡＤＭＩＮ`
 * are one name. Conversion to upper case first folds letters such as ß and ς.
 */
export const usernameKey = (username: string): string =>
  username.trim().normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC');

/** Whether it looks like an e-mail address, with which people log in too. Earlier versions allowed such names. */
export const hasAt = (username: string): boolean => usernameKey(username).includes('@');

/** Whether the characters of a username are valid; its length is checked elsewhere. */
export const isUsername = (username: string): boolean => !INVISIBLE.test(username) && usernameKey(username) !== '';
