import type { PasswordsService } from '../../../src/users/passwords.service.js';

/** The hash of each password that a test file has used. */
const hashes = new Map<string, Promise<string>>();

/**
 * Makes a server hash each password once per test file: a hash takes 19 MiB and about 30 ms of a core, and an account of a
 * test needs two. Other passwords and hashes are verified as before.
 */
export function cacheHashes(passwords: PasswordsService): void {
  const { hash, verify } = passwords;
  passwords.hash = (password) => {
    const cached = hashes.get(password) ?? hash.call(passwords, password);
    hashes.set(password, cached);
    return cached;
  };
  passwords.verify = async (passwordHash, password) =>
    (passwordHash !== null && passwordHash === (await hashes.get(password))) ||
    verify.call(passwords, passwordHash, password);
}
