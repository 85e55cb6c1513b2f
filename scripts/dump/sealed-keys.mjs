import { built } from './installation.mjs';

/** Counts the stored keys, and those that this installation's APP_SECRET opens. */
export async function openedKeys(client, secrets) {
  const { SEALED_COLUMNS, selectSealed } = await built('platform/secrets/sealed-columns.js');
  // A backup of an earlier version has keys that its next start binds to their rows.
  secrets.acceptsUnbound = true;
  const counts = { stored: 0, opened: 0 };
  const { rows: columns } = await client.query(SEALED_COLUMNS);
  for (const column of columns) {
    const { rows } = await client.query(selectSealed(column), [NO_PREFIX, 0]);
    counts.stored += rows.length;
    counts.opened += rows.filter(({ row, sealed }) => secrets.open(sealed, { ...column, row }) !== null).length;
  }
  return withMoved(client, secrets, counts);
}

/** Adds the keys that the next start seals for another row. */
async function withMoved(client, secrets, { stored, opened }) {
  const { ARE_SECRETS_MOVED, MOVED_SECRETS, originOf } = await built('platform/secrets/moved-secrets.js');
  const { rows: states } = await client.query(ARE_SECRETS_MOVED);
  if (!states[0].areMoved) return { stored, opened };
  const { rows } = await client.query(MOVED_SECRETS);
  const readable = rows.filter((moved) => secrets.open(moved.sealed, originOf(moved)) !== null);
  return { stored: stored + rows.length, opened: opened + readable.length };
}

/** A beginning that no sealed value has: none is left out. */
const NO_PREFIX = '.';

export function keysMessage({ stored, opened }) {
  if (opened === stored) return `APP_SECRET opens all ${stored} stored keys.`;
  return `APP_SECRET opens only ${opened} of ${stored} stored keys: they were sealed under another one.`;
}
