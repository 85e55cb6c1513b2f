import { LIMITS } from '@tanya/contract';
import { TextQuota } from '../../src/chat/messages/text-quota.js';
import { userOwner } from '../../src/identity/identity.js';
import { fillStorage } from '../harness/rows/long-threads.js';
import { fileRowCount } from '../harness/uploads.js';
import { openWebUi } from './export-fixtures.js';
import { importJson, reportOf, threadsOf } from './imports-harness.js';
import { server } from './imports-server.js';

/** A conversation with a picture and a question of this length. */
function conversation(id: string, length: number) {
  const exported = openWebUi({ id, title: id });
  exported.chat.history.messages.q.content = 'x'.repeat(length);
  return exported;
}

describe('an import at the bound of stored characters (LIM-14)', () => {
  it('reports what does not fit, without its files, and goes on with what fits', async () => {
    const { client, user } = await server.member();
    await fillStorage(server, userOwner(user.id), 20_000);
    const files = await fileRowCount(server);
    const status = await importJson(client, [
      conversation('long', 50_000),
      conversation('short', 5_000),
      conversation('longer', 60_000),
      conversation('last', 5_000),
    ]);
    expect(status).toMatchObject({ state: 'done', imported: 2, error: null });
    const reason = 'Your imports and copies fill the storage for texts. Delete some and import the file again.';
    expect(status.failures).toEqual([
      { title: 'long', reason },
      { title: 'longer', reason },
    ]);
    const report = await reportOf(client, status.id);
    expect(report.map(({ title, outcome, remark }) => [title, outcome, remark?.code])).toEqual([
      ['long', 'failed', 'storage_full'],
      ['short', 'imported', 'files_left_out'],
      ['longer', 'failed', 'storage_full'],
      ['last', 'imported', 'files_left_out'],
    ]);
    expect(await fileRowCount(server)).toBe(files + 2);
    expect((await threadsOf(client)).map(({ title }) => title).toSorted()).toEqual(['Imported', 'last', 'short']);
    const room = await server.app.get(TextQuota).roomOf(userOwner(user.id));
    expect(room).toBeGreaterThanOrEqual(0);
    expect(room).toBeLessThan(20_000 - 2 * 5_000);
  });

  it('reads the sum of what is stored once for many conversations', async () => {
    const { client, user } = await server.member();
    const room = jest.spyOn(server.app.get(TextQuota), 'roomOf');
    const exported = Array.from({ length: 30 }, (_, at) => conversation(`${at}`, 1_000));
    expect(await importJson(client, exported)).toMatchObject({ state: 'done', imported: 30 });
    expect(room).toHaveBeenCalledTimes(1);
    room.mockRestore();
    const left = await server.app.get(TextQuota).roomOf(userOwner(user.id));
    expect(LIMITS.storedCharacters.user - left).toBeGreaterThan(30 * 1_000);
  });
});
