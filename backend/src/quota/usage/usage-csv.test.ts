import type { ReadReplica } from '../../platform/database/read-replica.js';
import type { UsersService } from '../../users/users.service.js';
import { UsageCsv } from './usage-csv.service.js';

it('writes a day of many people in pieces', async () => {
  const rows = Array.from({ length: 2_500 }, (_, at) => ({ owner: `user:${at + 1}`, model_id: 'a/b' }));
  const replica = { snapshot: async () => rows } as unknown as ReadReplica;
  const users = {
    usernamesOf: async (ids: number[]) => new Map(ids.map((id) => [id, `member-${id}`])),
  } as unknown as UsersService;
  const pieces: string[] = [];
  for await (const piece of new UsageCsv(replica, users).linesOf({ from: '2026-11-22', to: '2026-11-22' }))
    pieces.push(piece);
  const lines = pieces.map((piece) => piece.trimEnd().split('\r\n'));
  expect(lines.map(({ length }) => length)).toEqual([1, 1_000, 1_000, 500]);
  expect(lines[2]![0]).toMatch(/^2026-11-22,member-1001,user:1001,a\/b/);
});
