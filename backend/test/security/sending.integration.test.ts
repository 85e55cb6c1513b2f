import { randomUUID } from 'node:crypto';
import { LIMITS } from '@tanya/contract';
import { refusalOf, SocketClient } from '../harness/socket-client.js';
import { harness } from './security-harness.js';

const message = (fields: object = {}) => ({
  clientMessageId: randomUUID(),
  threadId: null,
  model: 'openai/gpt-4o-mini',
  content: { text: 'Hello' },
  ...fields,
});

const NOT_TAKEN = ['isAdmin', 'userId', 'owner', 'role', 'status', 'temperature', 'base_url', 'api_key', 'system'];

describe('WS-6, MA-1, MA-2, AZ-8: a send is refused alike over socket and REST', () => {
  const sends: [string, object, string][] = [
    ['of an unknown model', { model: 'no/such-model' }, 'model_unavailable'],
    ['of blanks', { content: { text: '  \n ' } }, 'invalid'],
    ['of too much text', { content: { text: 'x'.repeat(LIMITS.messageText + 1) } }, 'invalid'],
    ["in another's thread", { threadId: 999_999_999 }, 'not_found'],
    ['with an unknown file', { content: { text: 'x', fileUrl: `/api/files/${randomUUID()}` } }, 'not_found'],
    ['with a picture of another site', { content: { text: 'x', imageData: 'https://evil.example/x.png' } }, 'invalid'],
    ['with a malformed id', { clientMessageId: 'one' }, 'invalid'],
    ...NOT_TAKEN.map((field): [string, object, string] => [`that smuggles ${field}`, { [field]: 1 }, 'invalid']),
  ];

  it.each(sends)('%s', async (_, fields, code) => {
    const { client } = await harness.member();
    const page = await SocketClient.connect(client);
    const before = await harness.fingerprint();
    const send = message(fields);
    const refusal = refusalOf(await page.ask('generation:start', send));
    const answer = await client.post('/api/chat/message', { ...send, content: JSON.stringify(send.content) });
    expect([refusal.code, answer.body]).toEqual([code, expect.objectContaining({ code }) as unknown]);
    expect(refusal.statusCode).toBe(answer.status);
    expect(await harness.fingerprint()).toEqual(before);
    await page.close();
  });

  it('beyond the quota', async () => {
    const guest = await harness.guest();
    const page = await SocketClient.connect(guest);
    for (let send = 0; send < 3; send += 1) await page.ended((await page.start('Hello')).generationId);
    expect(refusalOf(await page.ask('generation:start', message())).code).toBe('quota_exceeded');
    const answer = await guest.post('/api/chat/message', { content: 'Hello' });
    expect([answer.status, answer.body]).toEqual([403, expect.objectContaining({ code: 'quota_exceeded' }) as unknown]);
    await page.close();
  });
});

describe('PP-1: prototypes', () => {
  const polluted = [
    '{"__proto__":{"isAdmin":true}}',
    '{"constructor":{"prototype":{"isAdmin":true}}}',
    '{"content":{"text":"x","__proto__":{"isAdmin":true}}}',
    '{"content":{"__proto__":{"isAdmin":true},"text":"x"},"__proto__":{"isAdmin":true}}',
  ];

  it.each(polluted)('stay as they are: %s', async (text) => {
    const { client, username } = await harness.member();
    const page = await SocketClient.connect(client);
    for (const event of ['generation:start', 'generation:regenerate', 'generation:stop', 'generation:resume']) {
      await page.ask(event, { ...message(), ...(JSON.parse(text) as object) });
    }
    for (const path of ['/api/chat/message', '/api/login', '/api/register', '/api/generate-image']) {
      await client.send('POST', path, { raw: text, headers: { 'Content-Type': 'application/json' } });
    }
    await client.get('/api/chat/threads?__proto__[isAdmin]=true&constructor[prototype][isAdmin]=true');
    expect(({} as { isAdmin?: unknown }).isAdmin).toBeUndefined();
    const [{ is_admin: isAdmin }] = await harness.dataSource.query<[{ is_admin: boolean }]>(
      'select is_admin from "user" where username = $1',
      [username],
    );
    expect(isAdmin).toBe(false);
    await page.close();
  });
});
