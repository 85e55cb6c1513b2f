import { dataOf, SocketClient } from '../harness/socket-client.js';
import { waitUntil } from '../harness/wait-until.js';
import { type SecurityHarness, startSecurityHarness } from './routes-harness.js';

describe('WS-3: a client that stops reading', () => {
  let harness: SecurityHarness;

  beforeAll(async () => {
    harness = await startSecurityHarness();
  });

  afterAll(() => harness.close());

  /** WebSocket of a page, which can stop reading while it writes. */
  const webSocketOf = ({ socket }: SocketClient) =>
    (socket.io.engine.transport as unknown as { ws: { pause(): void; resume(): void } }).ws;

  const openSockets = async (): Promise<string | undefined> =>
    /^tanya_sockets (\d+)/m.exec(await (await fetch(`${harness.url}/metrics`)).text())?.[1];

  it('is disconnected by backpressure, and resumes without loss (F22)', async () => {
    const { client } = await harness.member();
    const page = await SocketClient.connect(client);
    harness.upstream.script({ steps: [{ text: 'x'.repeat(150_000) }, { finish: 'stop' }, { done: true }] });
    const { generationId } = await page.start('a long one');
    const { text } = await page.ended(generationId);
    expect(await openSockets()).toBe('1');
    webSocketOf(page).pause();
    // More than the socket buffers hold.
    for (let asked = 0; asked < 150; asked += 1) {
      page.socket.emit('generation:resume', { generationId, afterSeq: 0 }, () => undefined);
    }
    await waitUntil('the disconnect', async () => (await openSockets()) === '0');
    webSocketOf(page).resume();
    const back = await SocketClient.connect(client);
    const resumed = dataOf(await back.tryResume(generationId, 0));
    if (resumed.outcome !== 'resumed') throw new Error('the log is lost');
    expect(resumed.events.map((event) => ('text' in event ? event.text : '')).join('')).toBe(text);
    await Promise.all([page.close(), back.close()]);
  });
});
