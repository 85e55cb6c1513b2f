import type { ReadReplica } from '../../platform/database/read-replica.js';
import type { ApiKeysService } from '../../api-keys/api-keys.service.js';
import type { ModelsService } from '../../models/models.service.js';
import type { UserLookup } from '../../users/user-lookup.service.js';
import { UsageCsv } from './usage-csv.service.js';

/** The lines of a file with these rows, in the pieces in which it is written. */
async function linesWith(rows: object[]): Promise<string[][]> {
  const replica = { snapshot: async () => rows } as unknown as ReadReplica;
  const users = {
    usernamesOf: async (ids: number[]) => new Map(ids.map((id) => [id, `member-${id}`])),
  } as unknown as UserLookup;
  const keys = { namesOf: async () => new Map() } as unknown as ApiKeysService;
  const models = { find: () => null } as unknown as ModelsService;
  const pieces: string[] = [];
  const days = { from: '2026-11-22', to: '2026-11-22' };
  for await (const piece of new UsageCsv(replica, users, keys, models).linesOf(days, {})) pieces.push(piece);
  return pieces.map((piece) => piece.trimEnd().split('\r\n'));
}

it('begins with a byte order mark, and leaves an unknown cost empty', async () => {
  const row = { owner: 'user:1', model_id: 'a/b', generations: 2, cost_usd: '0.0000015' };
  const [[head], [known, unknown]] = (await linesWith([
    { ...row, unpriced: 1 },
    { ...row, unpriced: 2, cost_usd: '0' },
  ])) as [[string], [string, string]];
  expect(head).toMatch(/^\ufeffday,username/);
  expect(known.slice(known.lastIndexOf(',', known.length - 3))).toBe(',0.0000015,1');
  expect(unknown).toMatch(/,,2$/);
});

it('writes a day of many people in pieces', async () => {
  const lines = await linesWith(
    Array.from({ length: 2_500 }, (_, at) => ({ owner: `user:${at + 1}`, model_id: 'a/b' })),
  );
  expect(lines.map(({ length }) => length)).toEqual([1, 1_000, 1_000, 500]);
  expect(lines[2]![0]).toMatch(/^2026-11-22,member-1001,user:1001,a\/b/);
});
