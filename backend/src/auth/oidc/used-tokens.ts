import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { TIMINGS, type Timings } from '../../config/timings.js';
import { BackgroundWork } from '../../platform/resilience/background-work.js';
import { sha256Hex } from '../../platform/secrets/sha256.js';

const USE = `insert into used_token (token_hash, expires_at) values ($1, now() + make_interval(secs => $2))
on conflict do nothing returning 1 as used`;

/** What works once on all nodes, whether or not there is Redis. */
@Injectable()
export class UsedTokens {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(TIMINGS) timings: Timings,
    background: BackgroundWork,
  ) {
    background.repeat('sweep of sign-ins', timings.accountSweep, () => this.sweep());
  }

  /**
   * @param seconds how long the token is valid at most
   * @returns false when it was used before
   */
  async use(token: string, seconds: number): Promise<boolean> {
    const rows = await this.dataSource.query<unknown[]>(USE, [sha256Hex(token), seconds]);
    return rows.length > 0;
  }

  /** Lets a token be used again, whose use has failed. */
  async release(token: string): Promise<void> {
    await this.dataSource.query('delete from used_token where token_hash = $1', [sha256Hex(token)]);
  }

  private async sweep(): Promise<void> {
    await this.dataSource.query('delete from used_token where expires_at < now()');
    await this.dataSource.query('delete from identity_session where expires_at < now()');
  }
}
