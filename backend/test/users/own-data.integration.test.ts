import type { Message, StoredFile, Thread, User } from '@tanya/contract';
import { errorOf } from '../harness/http-client.js';
import { actors, harness } from '../security/security-harness.js';

interface OwnData {
  account: User;
  threads: Thread[];
  messages: Message[];
  files: StoredFile[];
  usage: { cost: number; state: string; generationId: string }[];
}

describe('the export of an account', () => {
  it('contains every thread, version, file and usage record, over several pages', async () => {
    const { client, user } = await harness.member();
    const owned = await harness.belongings(client);
    await harness.dataSource.query(
      `insert into message (thread_id, user_id, content, is_user_message)
       select $1, $2, 'number ' || n, true from generate_series(1, 450) n`,
      [owned.threadId, user.id],
    );
    await client.put(`/api/chat/messages/${owned.aiMessageId}/feedback`, { rating: 'down', reason: 'too short' });
    const answer = await client.get<OwnData>('/api/user/export');
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment/);
    const { account, threads, messages, files, usage } = answer.body;
    expect(account.id).toBe(user.id);
    expect(threads.map(({ id }) => id)).toEqual([owned.threadId]);
    expect(messages).toHaveLength(452);
    expect(messages[0]).toMatchObject({ id: owned.messageId, content: 'Hello', threadId: owned.threadId });
    expect(messages[1]).toMatchObject({ feedback: { rating: 'down', reason: 'too short' } });
    expect(messages.at(-1)?.content).toBe('number 450');
    expect(files).toEqual([expect.objectContaining({ id: owned.fileId, name: 'note.txt' })]);
    expect(usage).toEqual([expect.objectContaining({ cost: 1, state: 'charged', generationId: owned.generationId })]);
  });

  it('contains no data of other users', async () => {
    const owned = await harness.belongings(actors.owner);
    const { client } = await harness.member();
    const { threads, messages, files, usage } = (await client.get<OwnData>('/api/user/export')).body;
    expect([threads, messages, files, usage]).toEqual([[], [], [], []]);
    expect((await actors.admin.get('/api/user/export')).text).not.toContain(owned.fileId);
  });

  it('is limited to 20 an hour', async () => {
    const { client } = await harness.member();
    for (let count = 0; count < 20; count += 1) expect((await client.get('/api/user/export')).status).toBe(200);
    expect(errorOf(await client.get('/api/user/export')).code).toBe('rate_limited');
  });
});
