import { randomUUID } from 'node:crypto';
import type { OpenAI } from 'openai';
import { PNG_BASE64 } from '../harness/scripted-answers.js';
import { textAnswer } from './client-cases.js';
import { failureOf, MODEL, useOneCaller } from './public-api-harness.js';
import { eventsOf } from './responses-harness.js';

type Item = OpenAI.Responses.ResponseInputItem;

describe('a compacted conversation', () => {
  const suite = useOneCaller();

  const sent = (): { role: string; content: unknown }[] =>
    suite.harness.upstream.callsOf().at(-1)!.body['messages'] as { role: string; content: unknown }[];
  const script = (...texts: string[]) =>
    suite.harness.upstream.script(...texts.map((text) => ({ steps: textAnswer(text) })));

  const CONVERSATION: Item[] = [
    { role: 'user', content: 'Where is it?' },
    { role: 'assistant', content: 'I look.' },
    { type: 'function_call', call_id: 'a', name: 'find', arguments: '{}' },
    { type: 'function_call_output', call_id: 'a', output: 'in src/a.ts' },
    {
      role: 'user',
      content: [
        { type: 'input_text', text: 'And this?' },
        { type: 'input_image', image_url: `data:image/png;base64,${PNG_BASE64}`, detail: 'low' },
      ],
    },
  ];

  it('has the messages of the user and a summary, with which the next request goes on', async () => {
    const { responses } = suite.caller.openai;
    const used = await suite.harness.usedBy(suite.caller);
    script('It is in "src/a.ts".', 'On it.');
    const compacted = await responses.compact({ model: MODEL, input: CONVERSATION, instructions: 'Be brief.' });
    expect(compacted).toMatchObject({ object: 'response.compaction', usage: { output_tokens: 5 } });
    expect(compacted.id).toMatch(/^resp_[0-9a-f]{32}$/);
    expect(compacted.output).toMatchObject([
      { type: 'message', role: 'user', status: 'completed', content: [{ type: 'input_text', text: 'Where is it?' }] },
      { role: 'user', content: [{ text: 'And this?' }, { type: 'input_image', detail: 'low' }] },
      { type: 'compaction' },
    ]);
    expect(sent().map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool', 'user', 'user']);
    expect(sent().at(-1)!.content).toContain('Write a summary');
    expect(await suite.harness.usedBy(suite.caller)).toBe(used + 1);

    const input = [...compacted.output, { role: 'user', content: 'Go on.' }] as Item[];
    expect((await responses.create({ model: MODEL, input })).output_text).toBe('On it.');
    expect(sent().map(({ role }) => role)).toEqual(['user', 'user', 'user', 'user']);
    expect(sent()[2]!.content).toMatch(/^Summary of the conversation so far[^]*It is in "src\/a.ts"\./);

    script('All of it.');
    const again = await responses.compact({ model: MODEL, input });
    expect(again.output.map(({ type }) => type)).toEqual(['message', 'message', 'message', 'compaction']);
    expect(sent()[2]!.content).toContain('It is in "src/a.ts".');
  });

  it('continues stored responses, and may be asked for again', async () => {
    const { responses } = suite.caller.openai;
    script('Hello Alice.', 'Alice said hello.');
    const first = await responses.create({ model: MODEL, input: 'I am Alice.' });
    const used = await suite.harness.usedBy(suite.caller);
    const options = { headers: { 'Idempotency-Key': randomUUID() } };
    const compact = () => responses.compact({ model: MODEL, previous_response_id: first.id }, options);
    const compacted = await compact();
    expect(compacted.output).toMatchObject([{ content: [{ text: 'I am Alice.' }] }, { type: 'compaction' }]);
    const contentOf = ({ output }: OpenAI.Responses.CompactedResponse) =>
      (output.at(-1) as OpenAI.Responses.ResponseCompactionItem).encrypted_content;
    expect(contentOf(await compact())).toBe(contentOf(compacted));
    expect(await suite.harness.usedBy(suite.caller)).toBe(used + 1);
    expect((await responses.retrieve(first.id)).id).toBe(first.id);
    expect(await failureOf(responses.retrieve(compacted.id))).toMatchObject({ status: 404 });
  });

  it('refuses what cannot be shortened, or was not by this server', async () => {
    const { responses } = suite.caller.openai;
    const calls = suite.harness.upstream.callsOf().length;
    const cases: [Item[] | undefined, string][] = [
      [undefined, 'input'],
      [[], 'input'],
      [[CONVERSATION[2]!], 'input'],
      [[{ type: 'compaction', encrypted_content: 'gAAAAABo' }], 'input.0.encrypted_content'],
      [[{ type: 'compaction', encrypted_content: 'summary:' }], 'input.0.encrypted_content'],
      [[{ type: 'compaction', encrypted_content: 7 as never }], 'input.0.encrypted_content'],
    ];
    for (const [input, param] of cases)
      expect(await failureOf(responses.compact({ model: MODEL, input }))).toMatchObject({ status: 400, param });
    expect(await failureOf(responses.compact({ model: 'no/such', input: 'Hi' }))).toMatchObject({ status: 404 });
    expect(suite.harness.upstream.callsOf()).toHaveLength(calls);
  });

  it('that the model fails to write is free, and an error of its kind', async () => {
    const used = await suite.harness.usedBy(suite.caller);
    const refusal = { status: 400, body: '{"error":{"message":"No."}}' };
    suite.harness.upstream.script(refusal, refusal);
    const failure = await failureOf(suite.caller.openai.responses.compact({ model: MODEL, input: 'Hi' }));
    expect(failure).toMatchObject({ status: 400, code: 'provider_refused' });
    expect(await suite.harness.usedBy(suite.caller)).toBe(used);
  });

  describe('asked for within a response, as by Codex', () => {
    const TOOLS = [{ type: 'function', name: 'find', parameters: {}, strict: null }];
    const TRIGGER = { type: 'compaction_trigger' } as Item;
    const asked = (more: object = {}) => ({ model: MODEL, input: [...CONVERSATION, TRIGGER], tools: TOOLS, ...more });
    const summaryIn = (item: unknown): string => {
      const { encrypted_content: content } = item as OpenAI.Responses.ResponseCompactionItem;
      return Buffer.from(content.replace('summary:', ''), 'base64').toString();
    };

    it('is the one item of a stream, without tools for the model', async () => {
      const used = await suite.harness.usedBy(suite.caller);
      script('It is in "src/a.ts".');
      const body = asked({ stream: true, store: false });
      const { text } = await suite.harness.post(suite.caller.key, body, {}, '/api/v1/responses');
      const events = eventsOf(text);
      expect(events.map(({ type }) => type)).toEqual([
        'response.created',
        'response.in_progress',
        'response.output_item.added',
        'response.output_item.done',
        'response.completed',
      ]);
      const { response } = events.at(-1) as OpenAI.Responses.ResponseCompletedEvent;
      expect(response.output).toEqual([{ id: response.id.replace('resp', 'cmp'), ...response.output[0] }]);
      expect([response.output[0]!.type, summaryIn(response.output[0])]).toEqual(['compaction', 'It is in "src/a.ts".']);
      expect(response).not.toHaveProperty('isCompaction');
      expect(response.usage!.output_tokens).toBe(5);
      const { body: request } = suite.harness.upstream.callsOf().at(-1)!;
      expect([request['tools'], request['tool_choice']]).toEqual([undefined, undefined]);
      expect(sent().at(-1)!.content).toContain('Write a summary');
      expect(await suite.harness.usedBy(suite.caller)).toBe(used + 1);
    });

    it('is stored, and the next response goes on with it', async () => {
      const { responses } = suite.caller.openai;
      script('It is found.', 'On it.', 'Again.', 'By its id.');
      const compacted = await responses.create(asked() as never);
      expect(compacted.output.map(({ type }) => type)).toEqual(['compaction']);
      expect((await responses.retrieve(compacted.id)).output).toEqual(compacted.output);

      const next = await responses.create({ model: MODEL, previous_response_id: compacted.id, input: 'Go on.' });
      expect(sent().map(({ role }) => role)).toEqual(['user', 'user', 'user', 'user']);
      expect(sent()[2]!.content).toContain('It is found.');
      expect(sent()[3]!.content).toBe('Go on.');
      await responses.create({ model: MODEL, previous_response_id: next.id, input: 'More.' });
      expect(sent().map(({ role }) => role)).toEqual(['user', 'user', 'user', 'user', 'assistant', 'user']);

      const id = compacted.output[0]!.id!;
      await responses.create({
        model: MODEL,
        input: [
          { type: 'item_reference', id },
          { role: 'user', content: 'Hi' },
        ],
      });
      expect(sent()[0]!.content).toContain('It is found.');
    });

    it('continues a stored response alone, and by the names of earlier versions', async () => {
      const { responses } = suite.caller.openai;
      script('Hello Alice.', 'Alice said hello.', 'Bob did.');
      const first = await responses.create({ model: MODEL, input: 'I am Alice.' });
      const compacted = await responses.create({
        model: MODEL,
        previous_response_id: first.id,
        input: [{ type: 'context_compaction' } as never],
      });
      expect(summaryIn(compacted.output[0])).toBe('Alice said hello.');
      const item = { ...compacted.output[0], type: 'compaction_summary' } as never;
      await responses.create({ model: MODEL, input: [item, { role: 'user', content: 'Hi' }] });
      expect(sent()[0]!.content).toContain('Alice said hello.');
    });

    it('is over where the conversation goes on behind it', async () => {
      script('Hello.');
      const input = [...CONVERSATION, TRIGGER, { role: 'user', content: 'Hi' } as Item];
      const { output } = await suite.caller.openai.responses.create({ model: MODEL, input });
      expect(output.map(({ type }) => type)).toEqual(['message']);
      expect(sent().at(-1)!.content).toBe('Hi');
    });

    it('is incomplete where it was cut, and nothing where a filter ended it or no conversation is there', async () => {
      const { responses } = suite.caller.openai;
      const endedBy = (reason: string) =>
        suite.harness.upstream.script({ steps: [{ text: 'Half' }, { finish: reason }, { done: true }] });
      endedBy('length');
      expect(await responses.create(asked() as never)).toMatchObject({
        status: 'incomplete',
        output: [{ type: 'compaction' }],
      });
      endedBy('content_filter');
      expect(await responses.create(asked() as never)).toMatchObject({ status: 'incomplete', output: [] });
      const alone = responses.create({ model: MODEL, input: [TRIGGER] });
      expect(await failureOf(alone)).toMatchObject({ status: 400, param: 'input' });
    });
  });
});
