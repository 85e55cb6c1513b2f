import { hash, verify } from '@node-rs/argon2';
import { Injectable } from '@nestjs/common';
import pLimit from 'p-limit';

/** Argon2id (the library's default kind) with OWASP's first choice of memory and time. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const PREFIX = '$argon2id$v=19$m=19456,t=2,p=1$';

/** Each takes 19 MiB and a thread of libuv's four, which files and names need too. */
const AT_ONCE = 2;

/** Hashes passwords off the event loop, a few at a time. */
@Injectable()
export class PasswordsService {
  private readonly queue = pLimit(AT_ONCE);
  private nobody: Promise<string> | undefined;

  hash(password: string): Promise<string> {
    return this.queue(() => hash(password.normalize('NFC'), PARAMETERS));
  }

  /**
   * Whether this is the account's password. An unknown account (null) takes as long as a wrong password, so that time
   * does not tell which names exist.
   */
  async verify(passwordHash: string | null, password: string): Promise<boolean> {
    const known = passwordHash !== null && passwordHash.startsWith('$argon2');
    const compared = known ? passwordHash : await this.nobodysHash();
    const matches = await this.queue(() => verify(compared, password.normalize('NFC')));
    return known && matches;
  }

  /** Whether the hash was made with parameters that are no longer ours. */
  isOutdated(passwordHash: string): boolean {
    return !passwordHash.startsWith(PREFIX);
  }

  private nobodysHash(): Promise<string> {
    this.nobody ??= this.hash('nobody has this password');
    return this.nobody;
  }
}
