import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { TIMINGS, type Timings } from '../config/timings.js';
import { statement } from '../platform/database/named-parameters.js';
import { AppError } from '../platform/errors/app-error.js';
import { LOGGER, type Logger } from '../platform/observability/logging.js';
import { BackgroundWork } from '../platform/resilience/background-work.js';
import type { SignInWay } from '../platform/session/session.js';
import { AuditEntryEntity } from './audit-entry.entity.js';

const KEPT = `interval '90 days'`;

/** Failures of an address in an hour with a row each. One more row counts the rest, so that a flood does not fill the log. */
const ROWS_OF_FAILURES = 20;

/** Codes that refuse a login. The others ask for a code, or say that the server cannot answer. */
const REFUSALS: readonly string[] = [
  'invalid_credentials',
  'totp_invalid',
  'sign_in_failed',
  'identity_not_linked',
  'rate_limited',
  'account_pending',
  'account_suspended',
  'forbidden',
];

/** A name that no account has may be a password that was typed into the wrong field, so it is never stored. */
const UNKNOWN = { id: 0, username: 'unknown' };

const lockFailures = statement<{ address: string }>(
  `select pg_advisory_xact_lock(hashtextextended('login failures ' || :address, 0))`,
);

/** The failures of the last hour: how many have a row, and the row that counts the others. */
const lastHour = statement<{ address: string }>(`
  select count(*) filter (where action = 'login.failure')::int as "rows",
    max(id) filter (where action = 'login.failures') as "countingId"
  from audit_entry
  where target_kind = 'login' and address = :address and created_at > now() - interval '1 hour'`);

const countFailures = statement<{ id: number; more: number }>(`
  update audit_entry set after = jsonb_set(after, '{count}', to_jsonb((after ->> 'count')::int + :more::int))
  where id = :id`);

const DELETE_OLD = `delete from audit_entry where target_kind = 'login' and created_at < now() - ${KEPT}`;

interface Login {
  /** The account, null where none was found. */
  user: { id: number; username: string } | null;
  way: SignInWay;
  /** The client's address as rate limits count it. */
  address: string;
}

interface Failure extends Login {
  reason: string;
}

/** Failures that are stored together once those before them are. */
interface Batch {
  failures: Failure[];
  stored: Promise<void>;
}

/** Notes logins and their failures in the log, and for 90 days in the audit log. No login fails because of that. */
@Injectable()
export class LoginEvents {
  /** By address: what is being stored, and what waits for that. A flood from one address holds one connection. */
  private readonly running = new Map<string, Promise<void>>();
  private readonly waiting = new Map<string, Batch>();

  constructor(
    private readonly dataSource: DataSource,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(TIMINGS) timings: Timings,
    background: BackgroundWork,
  ) {
    background.repeat('deletion of old logins', timings.loginSweep, () => this.dataSource.query(DELETE_OLD));
  }

  /** Call it when the session has begun. */
  async succeeded({ user, way, address }: Login): Promise<void> {
    this.logger.info({ userId: user?.id, way, address }, 'login succeeded');
    await this.store(() => this.insert(this.dataSource.manager, { user, way, address }, 'success', {}));
  }

  /**
   * Notes an attempt that ended with an error. The work is the same with and without an account.
   * @param reason in place of the error's code
   */
  async failed(login: Login, error: unknown, reason?: string): Promise<void> {
    if (!(error instanceof AppError) || !REFUSALS.includes(error.code)) return;
    const { user, way, address } = login;
    const cause = reason ?? error.code;
    this.logger.info({ userId: user?.id, way, address, reason: cause }, 'login refused');
    await this.note({ ...login, reason: cause });
  }

  private note(failure: Failure): Promise<void> {
    const { address } = failure;
    const waiting = this.waiting.get(address);
    if (waiting !== undefined) {
      waiting.failures.push(failure);
      return waiting.stored;
    }
    const failures = [failure];
    const stored = (this.running.get(address) ?? Promise.resolve()).then(async () => {
      this.waiting.delete(address);
      this.running.set(address, stored);
      await this.store(() => this.insertFailures(address, failures));
      if (!this.waiting.has(address)) this.running.delete(address);
    });
    this.waiting.set(address, { failures, stored });
    return stored;
  }

  private insertFailures(address: string, failures: Failure[]): Promise<void> {
    return this.dataSource.transaction(async (manager) => {
      await manager.query(...lockFailures({ address }));
      const [{ rows, countingId }] = await manager.query<[{ rows: number; countingId: number | null }]>(
        ...lastHour({ address }),
      );
      const listed = failures.slice(0, Math.max(0, ROWS_OF_FAILURES - rows));
      for (const { reason, ...login } of listed) await this.insert(manager, login, 'failure', { reason });
      const more = failures.length - listed.length;
      if (more === 0) return;
      if (countingId === null)
        await this.insert(manager, { ...failures.at(-1)!, user: null }, 'failures', { count: more });
      else await manager.query(...countFailures({ id: countingId, more }));
    });
  }

  private async insert(
    manager: EntityManager,
    { user, way, address }: Login,
    result: 'success' | 'failure' | 'failures',
    fields: object,
  ): Promise<void> {
    const { id, username } = user ?? UNKNOWN;
    await manager.insert(AuditEntryEntity, {
      actorId: id,
      actorName: username,
      address,
      action: `login.${result}`,
      targetKind: 'login',
      targetId: id,
      targetName: username,
      before: null,
      after: { way, result: result === 'success' ? result : 'failure', ...fields },
    });
  }

  private async store(write: () => Promise<void>): Promise<void> {
    try {
      await write();
    } catch (error) {
      this.logger.warn({ err: error }, 'login not stored in the audit log; it continues');
    }
  }
}
