import type { TotpEnrollment } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { statement } from '../../platform/database/named-parameters.js';
import { profileChanged } from '../../identity/identity-topics.js';
import { Bus } from '../../platform/bus/bus.js';
import { AppError } from '../../platform/errors/app-error.js';
import { type Cell, SecretBox } from '../../platform/secrets/secret-box.js';
import { sha256Hex } from '../../platform/secrets/sha256.js';
import { recordUserChange } from '../../users/user-audit.js';
import type { UserEntity } from '../../users/user.entity.js';
import { UsersService } from '../../users/users.service.js';
import { RecoveryCodeEntity } from './recovery-code.entity.js';
import {
  createRecoveryCodes,
  recoveryCodeHash,
  createTotpSecret,
  isTotpCode,
  stepOfCode,
  totpUri,
} from './totp-codes.js';
import { TotpEntity } from './totp.entity.js';

/** Lifetime of an enrolment that is not confirmed. */
const ENROLLMENT = `interval '1 hour'`;

/** The rows of a code's check, with the clock of Postgres in ms since 1970: a node's clock may be wrong. */
const STORED = `select secret_sealed as "secretSealed", case when pending_at > now() - ${ENROLLMENT} then pending_sealed end
  as "pendingSealed", (extract(epoch from clock_timestamp()) * 1000)::float8 as "now" from totp where user_id = $1`;

/** The first use of a time step wins; a second use changes no row. */
const consumeStep = statement<{ userId: number; step: number; sealed: string | null }>(`
  update totp set last_step = :step where user_id = :userId and last_step < :step and secret_sealed = :sealed`);

const secretCell = (row: number): Cell => ({ table: 'totp', column: 'secret_sealed', row });
const pendingCell = (row: number): Cell => ({ table: 'totp', column: 'pending_sealed', row });

interface Stored {
  secretSealed: string | null;
  pendingSealed: string | null;
  now: number;
}

export interface ActivatedTotp {
  recoveryCodes: string[];
  /** For new sessions; the activation has ended all others. */
  sessionEpoch: number;
}

/** Enrols, verifies and removes second factors: TOTP (RFC 6238) with recovery codes. Callers limit failed attempts. */
@Injectable()
export class TotpService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly users: UsersService,
    private readonly secrets: SecretBox,
    private readonly bus: Bus,
  ) {}

  /** Starts an enrolment, replacing an unconfirmed one. An active factor stays valid until the confirmation. */
  async enroll({ id, username }: UserEntity, issuer: string): Promise<TotpEnrollment> {
    const secret = createTotpSecret();
    await this.dataSource.query(
      `insert into totp (user_id, pending_sealed, pending_at) values ($1, $2, now())
       on conflict (user_id) do update set pending_sealed = excluded.pending_sealed, pending_at = excluded.pending_at`,
      [id, this.secrets.seal(secret, pendingCell(id))],
    );
    return { secret, uri: totpUri(secret, issuer, username) };
  }

  /**
   * Confirms an enrolment by a code of its secret, replaces the recovery codes and ends all sessions. No event announces
   * the change: the page would read its account with the old cookie, before the response with the new one, and show a
   * guest instead of the recovery codes.
   * @param epoch the epoch of the session that asks for it
   * @returns null for a wrong code
   * @throws AppError `conflict` without an enrolment, also when a parallel call has confirmed it; `unauthenticated` when that
   *   session has ended meanwhile
   */
  async activate(userId: number, code: string, epoch: number): Promise<ActivatedTotp | null> {
    const stored = await this.storedOf(userId);
    const sealed = stored?.pendingSealed ?? null;
    const secret = sealed === null ? null : this.secrets.open(sealed, pendingCell(userId));
    if (stored === null || secret === null) throw noEnrollment();
    const step = stepOfCode(secret, code, stored.now);
    if (step === null) return null;
    const recoveryCodes = createRecoveryCodes();
    const sessionEpoch = await this.dataSource.transaction(async (manager) => {
      const nextEpoch = await this.users.setTotp(manager, userId, true);
      const { affected } = await manager.update(
        TotpEntity,
        { userId, pendingSealed: sealed! },
        {
          secretSealed: this.secrets.seal(secret, secretCell(userId)),
          pendingSealed: null,
          pendingAt: null,
          lastStep: step,
        },
      );
      if (!affected) throw noEnrollment();
      if (nextEpoch !== epoch + 1) throw new AppError('unauthenticated');
      await manager.delete(RecoveryCodeEntity, { userId });
      const rows = recoveryCodes.map((recoveryCode) => ({ userId, codeHash: recoveryCodeHash(recoveryCode) }));
      await manager.insert(RecoveryCodeEntity, rows);
      return nextEpoch;
    });
    return { recoveryCodes, sessionEpoch };
  }

  /** Key of the account's active factor: of its secret, so that each factor has its own. */
  async factorOf(userId: number): Promise<string> {
    const stored = await this.storedOf(userId);
    return `${userId}.${sha256Hex(stored?.secretSealed ?? '')}`;
  }

  /** Uses a TOTP or recovery code. A code is valid once, on all nodes together. */
  async verify(userId: number, code: string): Promise<boolean> {
    if (!isTotpCode(code)) {
      const { affected } = await this.recoveryCodes.delete({ userId, codeHash: recoveryCodeHash(code) });
      return Boolean(affected);
    }
    const stored = await this.storedOf(userId);
    const sealed = stored?.secretSealed ?? null;
    const secret = sealed === null ? null : this.secrets.open(sealed, secretCell(userId));
    const step = stored === null || secret === null ? null : stepOfCode(secret, code, stored.now);
    if (step === null) return false;
    const [, used] = await this.dataSource.query<[unknown, number]>(...consumeStep({ userId, step, sealed }));
    return used > 0;
  }

  /** Removes the factor, an unconfirmed one and the recovery codes. @throws AppError `not_found` */
  async remove(userId: number): Promise<void> {
    await this.dataSource.transaction(async (manager: EntityManager) => {
      const before = await this.users.getWithin(manager, userId);
      await this.users.setTotp(manager, userId, false);
      await recordUserChange(manager, 'reset_totp', before, { ...before, hasTotp: false });
      await manager.delete(TotpEntity, { userId });
      await manager.delete(RecoveryCodeEntity, { userId });
    });
    await this.bus.publish(profileChanged, { userId });
  }

  private get recoveryCodes() {
    return this.dataSource.getRepository(RecoveryCodeEntity);
  }

  private async storedOf(userId: number): Promise<Stored | null> {
    const [stored] = await this.dataSource.query<Stored[]>(STORED, [userId]);
    return stored ?? null;
  }
}

const noEnrollment = () => new AppError('conflict', { reason: 'totp_setup' });
