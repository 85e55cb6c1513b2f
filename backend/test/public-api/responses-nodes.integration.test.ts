import type { ApiKeyResponse } from '@tanya/contract';
import { OpenAI } from 'openai';
import { DetachedLog } from '../../src/chat/generation/detached/detached-log.js';
import { TIMINGS, type Timings } from '../../src/config/timings.js';
import { EventBuffer } from '../../src/public-api/responses/event-buffer.js';
import { uuidOf } from '../../src/public-api/responses/response-view.js';
import { startTwoNodes, type TwoNodes } from '../chat/nodes/two-nodes.js';
import { waitUntil } from '../harness/wait-until.js';
import { failureOf, MODEL } from './public-api-harness.js';

/** A reader on another node sends four beats in it: a beat of a slow machine may be 30 s late. */
const UNREAD_MS = 40_000;

const SHORT_UNREAD_MS = 1_000;

describe('a stored stream on two nodes', () => {
  let nodes: TwoNodes;

  beforeAll(async () => {
    // A reader sends its beats while the log has nothing new for it.
    nodes = await startTwoNodes({ unreadResponse: UNREAD_MS, logFlush: 500 });
  });

  afterEach(async () => {
    jest.restoreAllMocks();
    await nodes.settle();
  });

  afterAll(() => nodes.close());

  /** Reads the beginning of an endless stream from the first node and leaves. @returns resumes it on the other node */
  async function leave() {
    const { client } = await nodes.one.member();
    const { body } = await client.post<ApiKeyResponse>('/api/user/apikey/generate');
    const [one, two] = [nodes.one, nodes.two].map(
      ({ url }) => new OpenAI({ apiKey: body.apiKey!, baseURL: `${url}/api/v1`, maxRetries: 0 }),
    );
    const stream = await one!.responses.create({
      model: MODEL,
      input: 'go on [[words=20000 pace=10]]',
      stream: true,
    });
    let id = '';
    let last = 0;
    for await (const event of stream) {
      if (event.type === 'response.created') id = event.response.id;
      if ((last = event.sequence_number) >= 10) break;
    }
    // A resume waits two seconds for these events, in which a slow machine may not log them.
    const log = nodes.two.app.get(DetachedLog);
    await waitUntil('the log', async () => (await log.readFrom(uuidOf(id)!, last + 1)) !== null);
    const resume = () => two!.responses.retrieve(id, { stream: true, starting_after: last });
    return { one: one!, id, last, resume };
  }

  it('resumes on another node, whose reader keeps it running', async () => {
    const touch = jest.spyOn(EventBuffer.prototype, 'touch');
    const { one, id, last, resume } = await leave();
    const startedAt = Date.now();
    let next = last;
    for await (const event of await resume()) {
      expect(event.sequence_number).toBe((next += 1));
      expect(event.type).toBe('response.output_text.delta');
      // The start and the end of the first reader, then two beats of the second one.
      if (touch.mock.calls.length >= 4) break;
      expect(Date.now() - startedAt).toBeLessThan(UNREAD_MS);
    }
    expect(touch.mock.calls.length).toBeGreaterThanOrEqual(4);
    await one.responses.delete(id);
    await nodes.upstream.callsOf().at(-1)!.closed;
  });

  it('ends after its reader on another node has left', async () => {
    for (const { app } of [nodes.one, nodes.two])
      jest.replaceProperty(app.get<Timings>(TIMINGS), 'unreadResponse', SHORT_UNREAD_MS);
    const { one, id, resume } = await leave();
    for await (const event of await resume()) if (event.type === 'response.output_text.delta') break;
    await nodes.upstream.callsOf().at(-1)!.closed;
    const read = async () => {
      for await (const event of await resume()) expect(event.type).not.toBe('response.completed');
    };
    const { code } = await failureOf(read());
    expect(await one.responses.retrieve(id)).toMatchObject({ id, status: 'failed', error: { code } });
  });
});
