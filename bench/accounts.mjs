import { createHash, createHmac } from 'node:crypto';
import { Redis } from 'ioredis';
import { built } from './harness.mjs';

export const APP_SECRET = 'bench-4b7a1f0c9d2e8a6f5c3b1d0e7f9a2c4e';

const HOUR = 60 * 60 * 1000;

/** A well-formed API key, derived from the index of the user. */
const keyOf = (index) => `tk_${createHash('sha256').update(`bench ${index}`).digest('base64url')}`;

/**
 * Creates members with sessions, written into the stores as the product does, because each login costs a password hash.
 * Their plan has a limit, so that each send is checked against a quota.
 */
export async function makeMembers(harness, databaseUrl, count) {
  const hashes = Array.from({ length: count }, (_, index) => createHash('sha256').update(keyOf(index)).digest('hex'));
  await harness.query(
    databaseUrl,
    `with given as (select hash, 'bench-' || n as name from unnest($1::text[]) with ordinality as given (hash, n)),
     added as (insert into "user" (username, username_key, password_hash) select name, name, 'none' from given
       on conflict do nothing returning id, username)
     insert into api_key (user_id, name, key_hash, is_readable)
     select added.id, 'API key', given.hash, true from added join given on given.name = added.username`,
    [hashes],
  );
  await liftLimits(harness, databaseUrl);
  const rows = await harness.query(
    databaseUrl,
    `select id, username from "user" where username like 'bench-%' order by id limit $1`,
    [count],
  );
  const cookies = await signIn(
    harness,
    rows.map(({ id }) => id),
  );
  return { cookies, keys: rows.map((_, index) => keyOf(index)), ids: rows.map(({ id }) => id) };
}

/** Members may send more than a measurement does, and no answer is followed by the request for a title. */
export async function liftLimits(harness, databaseUrl) {
  await harness.query(
    databaseUrl,
    `insert into setting (id, changed) values (1, '{"freeUserMessageQuota": 1000000, "generatedTitles": false}') on conflict do nothing`,
  );
}

async function signIn(harness, ids) {
  const { SecretBox } = await built('platform/secrets/secret-box.js');
  const [key] = new SecretBox(APP_SECRET).keys('session');
  const secret = key.toString('base64url');
  const redis = new Redis(harness.redisUrl);
  const cookie = { originalMaxAge: null, expires: null, httpOnly: true, path: '/', sameSite: 'lax', secure: false };
  const pipeline = redis.pipeline();
  for (const userId of ids) {
    const session = { cookie, userId, epoch: 0, endsAt: Date.now() + 24 * HOUR };
    pipeline.set(`tanya:session:bench-${userId}`, JSON.stringify(session));
  }
  await pipeline.exec();
  redis.disconnect();
  return ids.map((userId) => {
    const signature = createHmac('sha256', secret).update(`bench-${userId}`).digest('base64').replace(/=+$/, '');
    return `tanya.sid=${encodeURIComponent(`s:bench-${userId}.${signature}`)}`;
  });
}
