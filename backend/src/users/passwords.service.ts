import { hash, verify } from '@node-rs/argon2';
import { Injectable } from '@nestjs/common';
import { boundedQueue } from '../platform/resilience/bounded-queue.js';

/** Argon2id (the library's default) with the memory and time that OWASP recommends first. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const PREFIX = '$argon2id$v=19$m=19456,t=2,p=1$';

/**
 * Hashes at once: each needs 19 MiB and one of libuv's four threads, which file and DNS calls need as well. The last one of
 * those that wait has its turn after some seconds, within the patience of a client.
 */
const QUEUE = { concurrency: 2, waiting: 100 };

/** Whether a stored hash is that of a password: service accounts, and people who sign in elsewhere, have none. */
export const isPassword = (passwordHash: string): boolean => passwordHash.startsWith('$argon2');

/** Hashes passwords off the event loop, a few at a time. Beyond the queue, calls are refused with AppError `server_busy`. */
@Injectable()
export class PasswordsService {
  private readonly queue = boundedQueue(QUEUE);
  private dummy: Promise<string> | undefined;

  hash(password: string): Promise<string> {
    return this.queue(() => hash(password.normalize('NFC'), PARAMETERS));
  }

  /**
   * Whether the password matches the hash. An unknown account (null) takes as long as a wrong password, so that response
   * times do not reveal which usernames exist.
   */
  async verify(passwordHash: string | null, password: string): Promise<boolean> {
    const isKnown = passwordHash !== null && isPassword(passwordHash);
    const compared = isKnown ? passwordHash : await this.dummyHash();
    const matches = await this.queue(() => verify(compared, password.normalize('NFC')));
    return isKnown && matches;
  }

  /** Whether the hash was made with other parameters than the current ones. */
  isOutdated(passwordHash: string): boolean {
    return !passwordHash.startsWith(PREFIX);
  }

  /** Made outside of the queue: a refusal would be kept for all later calls. */
  private dummyHash(): Promise<string> {
    this.dummy ??= hash('the password of no account', PARAMETERS);
    return this.dummy;
  }
}
