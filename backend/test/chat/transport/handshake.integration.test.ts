import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { SendMessageResponse } from '@tanya/contract';
import { type ChatHarness, startChatHarness } from '../../harness/chat-harness.js';
import type { HttpClient } from '../../harness/http-client.js';
import { SocketClient } from '../../harness/socket-client.js';

describe('the handshake', () => {
  let harness: ChatHarness;

  beforeAll(async () => {
    harness = await startChatHarness({ redis: false });
  });

  afterAll(() => harness.close());

  const ORIGINS = ['https://evil.example', 'null', 'http://127.0.0.1.evil.example', 'http://127.0.0.1', 'file://', ''];

  const attempt = (browser: HttpClient, transport: 'websocket' | 'polling', origin: string) =>
    SocketClient.connect(browser, { transports: [transport], extraHeaders: { Origin: origin } });

  /** Status and body of a refused upgrade without a session. */
  const upgrade = async (origin: string): Promise<[number | undefined, string]> => {
    const headers = {
      Connection: 'Upgrade',
      Upgrade: 'websocket',
      Origin: origin,
      'Sec-WebSocket-Version': '13',
      'Sec-WebSocket-Key': randomBytes(16).toString('base64'),
    };
    const asked = request(`${harness.url}/socket.io/?EIO=4&transport=websocket`, { headers }).end();
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    return [answer.statusCode, await text(answer)];
  };

  it.each(ORIGINS)('is refused on both transports from the foreign origin "%s" (WS-1)', async (origin) => {
    const { client } = await harness.member();
    for (const transport of ['websocket', 'polling'] as const) {
      await expect(attempt(client, transport, origin)).rejects.toThrow(/error/);
    }
    const polling = await client.get('/socket.io/?EIO=4&transport=polling', { headers: { Origin: origin } });
    expect([polling.status, polling.body]).toEqual([403, { code: 4, message: 'foreign_origin' }]);
    expect(polling.headers.get('access-control-allow-origin')).toBeNull();
    expect(await upgrade(origin)).toEqual([403, polling.text]);
  });

  it('is accepted on both transports from the own origin', async () => {
    const { client } = await harness.member();
    for (const transport of ['websocket', 'polling'] as const) {
      const page = await attempt(client, transport, harness.url);
      const { generationId } = await page.start(`over ${transport}`);
      expect((await page.ended(generationId)).message.status).toBe('complete');
      await page.close();
    }
  });

  it('without cookies creates a guest', async () => {
    const visitor = harness.client();
    const page = await SocketClient.connect(visitor);
    const { generationId, quota } = await page.start('who am I?');
    expect(quota.max).toBe(3);
    await page.ended(generationId);
    await page.close();
  });

  it('is refused beyond 50 sockets of one owner', async () => {
    const { client } = await harness.member();
    const pages = await Promise.all(Array.from({ length: 50 }, () => SocketClient.connect(client)));
    await expect(SocketClient.connect(client)).rejects.toMatchObject({ data: { code: 'rate_limited' } });
    await Promise.all(pages.map((page) => page.close()));
  });

  it('that is refused leaves REST sends of the browser working', async () => {
    const { client } = await harness.member();
    await expect(attempt(client, 'websocket', 'null')).rejects.toThrow();
    const answer = await client.post<SendMessageResponse>('/api/chat/message', { content: 'plain' });
    expect(answer.status).toBe(201);
  });
});
