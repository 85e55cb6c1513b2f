import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { statement } from '../../platform/database/named-parameters.js';

const ADD = `insert into identity_session (identity_id, sid, expires_at) values ($1, $2, now() + interval '30 days')
on conflict (identity_id, sid) do update set expires_at = excluded.expires_at`;

const endNamed = statement<{ issuer: string; subject: string | null; sid: string }>(`
  delete from identity_session s using user_identity i
  where s.identity_id = i.id and i.issuer = :issuer and s.sid = :sid and (:subject::text is null or i.subject = :subject)
  returning i.id as "identityId", i.user_id as "userId"`);

const endAll = statement<{ issuer: string; subject: string }>(`
  with identity as (select id, user_id from user_identity where issuer = :issuer and subject = :subject),
  ended as (delete from identity_session where identity_id in (select id from identity))
  select id as "identityId", user_id as "userId" from identity`);

/** The account whose sessions a logout at a provider ends. */
export interface EndedIdentity {
  identityId: number;
  userId: number;
}

/** Which sessions at providers our sessions began with. */
@Injectable()
export class IdentitySessions {
  constructor(private readonly dataSource: DataSource) {}

  async add(identityId: number, sid: string): Promise<void> {
    await this.dataSource.query(ADD, [identityId, sid]);
  }

  /** False when the provider has ended it meanwhile. */
  async isOpen(identityId: number, sid: string): Promise<boolean> {
    const sql = 'select from identity_session where identity_id = $1 and sid = $2 and expires_at > now()';
    const rows = await this.dataSource.query<unknown[]>(sql, [identityId, sid]);
    return rows.length > 0;
  }

  /** Ends one session at a provider, or with null all of the person. @returns the accounts concerned */
  async end(issuer: string, subject: string | null, sid: string | null): Promise<EndedIdentity[]> {
    if (sid === null) return this.dataSource.query<EndedIdentity[]>(...endAll({ issuer, subject: subject! }));
    const [ended] = await this.dataSource.query<[EndedIdentity[], number]>(...endNamed({ issuer, subject, sid }));
    return ended;
  }
}
