import { LIMITS } from '@tanya/contract';
import { userOwner } from '../../../src/identity/identity.js';
import type { TestApp } from '../test-app.js';

/** Inserts a thread whose shown path has texts of questions and answers in turn. @returns its id and those of its messages */
export async function insertThread(
  { dataSource }: TestApp,
  userId: number,
  texts: readonly string[],
): Promise<{ threadId: number; ids: number[] }> {
  const [{ id: threadId }] = await dataSource.query<[{ id: number }]>(
    `insert into thread (owner, user_id, title) values ($1, $2, 'Long') returning id`,
    [userOwner(userId), userId],
  );
  const ids: number[] = [];
  for (const [at, text] of texts.entries()) {
    const [{ id }] = await dataSource.query<[{ id: number }]>(
      `insert into message (thread_id, parent_id, user_id, content, is_user_message)
       values ($1, $2, $3, $4, $5) returning id`,
      [threadId, ids.at(-1) ?? null, userId, text, at % 2 === 0],
    );
    ids.push(id);
  }
  await dataSource.query('update thread set active_leaf_id = $2 where id = $1', [threadId, ids.at(-1)]);
  return { threadId, ids };
}

/** Makes an owner store as many characters as they may, but some. */
export async function fillStorage({ dataSource }: TestApp, owner: string, left = 0): Promise<void> {
  const bound = owner.startsWith('user:') ? LIMITS.storedCharacters.user : LIMITS.storedCharacters.guest;
  const userId = owner.startsWith('user:') ? Number(owner.slice('user:'.length)) : null;
  await dataSource.query(
    `insert into thread (owner, user_id, title, written_characters, expires_at)
     values ($1, $2, 'Imported', $3, case when $2::int is null then now() + interval '1 day' end)`,
    [owner, userId, bound - left],
  );
}
