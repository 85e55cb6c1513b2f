import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { statement } from '../../platform/database/named-parameters.js';

/** As long as a person may look for the phone or the key. */
const LIFETIME = `interval '5 minutes'`;

/** Each new challenge removes those that nobody answered. */
const add = statement<{ challenge: string; userId: number | null }>(`
  with expired as (delete from passkey_challenge where expires_at < now())
  insert into passkey_challenge (challenge, user_id, expires_at) values (:challenge, :userId, now() + ${LIFETIME})`);

const use = statement<{ challenge: string; userId: number | null }>(`
  delete from passkey_challenge
  where challenge = :challenge and user_id is not distinct from :userId::int and expires_at > now()`);

/** Challenges in Postgres, so that another node can take the answer. Each is valid once. */
@Injectable()
export class PasskeyChallenges {
  constructor(private readonly dataSource: DataSource) {}

  /** @param userId of the account that adds a passkey; null for a login */
  async add(challenge: string, userId: number | null): Promise<void> {
    await this.dataSource.query(...add({ challenge, userId }));
  }

  /** Whether the challenge was made for this and not used before. */
  async use(challenge: string, userId: number | null): Promise<boolean> {
    const [, used] = await this.dataSource.query<[unknown, number]>(...use({ challenge, userId }));
    return used > 0;
  }
}
