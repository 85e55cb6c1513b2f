import type { ApiKeyResponse } from '@tanya/contract';
import { OpenAI } from 'openai';
import { startTwoNodes, type TwoNodes } from '../chat/nodes/two-nodes.js';
import { MODEL } from './public-api-harness.js';

const UNREAD_MS = 4_000;

describe('a stored stream on two nodes', () => {
  let nodes: TwoNodes;

  beforeAll(async () => {
    nodes = await startTwoNodes({ unreadResponse: UNREAD_MS, logFlush: 50 });
  });

  afterEach(() => nodes.settle());

  afterAll(() => nodes.close());

  it('resumes on another node, whose reader keeps it running until it leaves', async () => {
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
    const resumed = await two!.responses.retrieve(id, { stream: true, starting_after: last });
    const startedAt = Date.now();
    for await (const event of resumed) {
      expect(event.sequence_number).toBe((last += 1));
      expect(event.type).toBe('response.output_text.delta');
      if (Date.now() - startedAt > 1.5 * UNREAD_MS) break;
    }
    await nodes.upstream.callsOf().at(-1)!.closed;
    const rest = await two!.responses.retrieve(id, { stream: true, starting_after: last });
    let final: OpenAI.Responses.ResponseStreamEvent | undefined;
    for await (const event of rest) final = event;
    expect(final).toMatchObject({ type: 'response.failed', response: { id, status: 'failed' } });
  });
});
