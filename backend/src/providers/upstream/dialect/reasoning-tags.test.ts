import fc from 'fast-check';
import type { ProviderEvent } from '../../provider.js';
import { ReasoningTags } from './reasoning-tags.js';

interface Answer {
  text: string;
  reasoning: string;
}

/** What a reader of the events has at the end. */
function readBy(tags: ReasoningTags, batches: readonly (readonly ProviderEvent[])[]): Answer {
  const answer = { text: '', reasoning: '' };
  for (const event of batches.flatMap((batch) => tags.push(batch))) {
    if (event.type === 'text-delta') answer.text += event.text;
    if (event.type === 'reasoning-delta') answer.reasoning += event.text;
    if (event.type === 'text-was-reasoning') [answer.reasoning, answer.text] = [answer.text.trim(), ''];
  }
  return answer;
}

const FINISH: ProviderEvent = { type: 'finish', reason: 'stop' };
const text = (content: string): ProviderEvent => ({ type: 'text-delta', text: content });
const answerOf = (...pieces: string[]): Answer =>
  readBy(new ReasoningTags(), [...pieces.map((piece) => [text(piece)]), [FINISH]]);

const SEPARATED: readonly (readonly [name: string, content: string, text: string, reasoning: string])[] = [
  ['<think>', '<think>\nplan a\n</think>\n\nHello.', 'Hello.', 'plan a'],
  ['<thinking>', ' \n<thinking>plan a</thinking>Hello.', 'Hello.', 'plan a'],
  ['capitals', '<THINK>plan a</Think> Hello.', 'Hello.', 'plan a'],
  ['[THINK]', '[THINK]plan a[/THINK]\nHello.', 'Hello.', 'plan a'],
  ['<thought>', '<thought>plan a</thought>Hello.', 'Hello.', 'plan a'],
  ['<reasoning>', '<reasoning>\nplan a\n</reasoning>\nHello.', 'Hello.', 'plan a'],
  ['Gemma 4', '<|channel>thought\nplan a\n<channel|>Hello.', 'Hello.', 'plan a'],
  ['Gemma 4, whose template has opened it', 'So plan a.\n<channel|>Hello.', 'Hello.', 'So plan a.'],
  [
    'gpt-oss',
    '<|channel|>analysis<|message|>plan a<|end|><|start|>assistant<|channel|>final<|message|>Hello.',
    'Hello.',
    'plan a',
  ],
  [
    'gpt-oss in several parts',
    '<|start|>assistant<|channel|>analysis<|message|>plan a<|end|><|start|>assistant<|channel|>analysis<|message|>plan b<|end|>' +
      '<|start|>assistant<|channel|>final<|message|>Hello.',
    'Hello.',
    'plan a\n\nplan b',
  ],
  ['gpt-oss without reasoning', '<|channel|>final<|message|>Hello.', 'Hello.', ''],
  ['gpt-oss with a remark', '<|channel|>commentary<|message|>I look <|end|> here.', 'I look <|end|> here.', ''],
  [
    'gpt-oss whose beginning is lost',
    'plan a<|end|><|start|>assistant<|channel|>final<|message|>Hello.',
    'Hello.',
    'plan a',
  ],
  ['gpt-oss without its marks', 'analysisWe plan a.assistantfinalHello.', 'Hello.', 'analysisWe plan a.'],
  ['gpt-oss that ends with a quotation', 'analysisSay "Hello."assistantfinalHello.', 'Hello.', 'analysisSay "Hello."'],
  [
    'Granite',
    'Here is my thought process:\nplan a\n\nHere is my response:\nHello.',
    'Hello.',
    'Here is my thought process:\nplan a',
  ],
  ['attributes', '<think type="deep" n=\'2\'>\nplan a\n</think>\nHello.', 'Hello.', 'plan a'],
  ['other attributes', '<thinking duration="5">plan a</thinking>Hello.', 'Hello.', 'plan a'],
  ['an empty tag', '<think/>\nHello.', 'Hello.', ''],
  ['an empty tag with a blank', '<thinking />Hello.', 'Hello.', ''],
  ['the end of its kin', '<thinking>\nplan a\n</think>\nHello.', 'Hello.', 'plan a'],
  [
    'the end of its kin that is spoken of',
    '<think>\nnot </thinking> here\n</think>\nHello.',
    'Hello.',
    'not </thinking> here',
  ],
  ['Seed', '<seed:think>plan a</seed:think>Hello.', 'Hello.', 'plan a'],
  [
    'OpenThinker',
    '<|begin_of_thought|>\nplan a\n<|end_of_thought|>\n<|begin_of_solution|>\nHello.\n<|end_of_solution|>',
    'Hello.\n',
    'plan a',
  ],
  ['Hunyuan', '<think>\nplan a\n</think>\n<answer>\nHello.</answer>\n', 'Hello.', 'plan a'],
  [
    'some XML',
    '<think>a</think>\n<response>\n<code>5</code>\n</response>',
    '<response>\n<code>5</code>\n</response>',
    'a',
  ],
  ['an empty answer tag', '<think>a</think><answer></answer>', '', 'a'],
  [
    'an answer tag within the text',
    '<think>a</think><answer>Use </answer> there.</answer>',
    'Use </answer> there.',
    'a',
  ],
  ['Cohere', '<|START_THINKING|>plan a<|END_THINKING|><|START_RESPONSE|>Hello.<|END_RESPONSE|>', 'Hello.', 'plan a'],
  ['Apertus', '<|inner_prefix|>plan a<|inner_suffix|>Hello.', 'Hello.', 'plan a'],
  ['Kimi', '◁think▷plan a◁/think▷Hello.', 'Hello.', 'plan a'],
  ['LongCat', '<longcat_think>\nplan a\n</longcat_think>\nHello.', 'Hello.', 'plan a'],
  ['no reasoning', '<think>\n\n</think>\n\nHello.', 'Hello.', ''],
  ['two', '<think>one</think>\n<think></think>\n<think>two</think>Hello.', 'Hello.', 'one\n\ntwo'],
  ['no text', '<think>plan a</think>\n', '', 'plan a'],
  ['no end', '<think>\nplan a and', '', 'plan a and'],
  ['an end that was cut', '<think>\nplan a\n</thi', '', 'plan a'],
  ['a bracket', '<think>a < b and c <</think>Hello.', 'Hello.', 'a < b and c <'],
  ['letters that are longer in lower case', '<think>İİİ</think>İyi.', 'İyi.', 'İİİ'],
  ['no beginning, such letters', 'İİİ\n</think>\nİyi.', 'İyi.', 'İİİ'],
  ['no beginning', 'plan a\n</think>\n\nHello.', 'Hello.', 'plan a'],
  ['no beginning, on one line', 'So plan a.</thinking>Hello.', 'Hello.', 'So plan a.'],
  [
    'no beginning, with code',
    'Use ```x``` and `y`.\n```js\nz\n```\n</think>Hello.',
    'Hello.',
    'Use ```x``` and `y`.\n```js\nz\n```',
  ],
  ['an end alone', '\n</think>\n\nHello.', 'Hello.', ''],
  ['an end twice', '<think>plan a</think>\n</think>\nHello.', 'Hello.', 'plan a'],
];

const KEPT: readonly (readonly [name: string, content: string])[] = [
  ['in code', 'Use `<think>` here:\n```\n<think>\nx\n</think>\n```'],
  ['an end in a code span', 'Close it by `</think>` and go on.'],
  ['an end in a block', 'Close it:\n```html\nplan\n</think>\n```\nand go on.'],
  ['an end in a block of a list', '- close:\n  ~~~\n  </think>\n  ~~~\n- more'],
  ['an end that is spoken of', 'The tag </think> ends it, "</think>" too.'],
  ['in the text', 'Hello.\n<think>\nno\n</think>\nMore.'],
  ['of some XML', '<refund><reason code="5">late</reason></refund>'],
  ['other tags', '<b>Hello</b> <thin>x</thin> [THIN] a < b'],
  ['with attributes of some XML', '<reasoning kind="a">x</reasoning> <reason code="5">late</reason>'],
  ['in the words of an analysis', 'analysis of the text: </b> the assistant is final.'],
  [
    'in an analysis of gpt-oss',
    'Analysis of gpt-oss: its text "assistantfinal", or `assistantfinal`, begins the answer.',
  ],
  ['in a block', 'Here is my thought process: I explain.\n```\nHere is my response: x\n```\nSo it is.'],
  ['around an answer without reasoning', '<answer>Hello.</answer>'],
  ['that end the answers of others', 'Hello.<|end|>'],
  ['that only look like one', '<thinker>x</thinker> <think-tank a="b">'],
  ['blanks', '\n\n  Hello.\n'],
  ['the beginning of a tag', 'Hello </thi'],
  ['nothing but the beginning of one', '<thi'],
];

it.each(SEPARATED)('separates reasoning: %s', (_name, content, shown, reasoning) => {
  for (let at = 0; at <= content.length; at += 1)
    expect(answerOf(content.slice(0, at), content.slice(at))).toEqual({ text: shown, reasoning });
  expect(answerOf(...content)).toEqual({ text: shown, reasoning });
});

it.each(KEPT)('keeps tags %s', (_name, content) => {
  for (let at = 0; at <= content.length; at += 1)
    expect(answerOf(content.slice(0, at), content.slice(at))).toEqual({ text: content, reasoning: '' });
  expect(answerOf(...content)).toEqual({ text: content, reasoning: '' });
});

it('leaves an end in the text of an answer with reasoning of its own, and drops one before the text', () => {
  const own: ProviderEvent = { type: 'reasoning-delta', text: 'plan a' };
  const read = (content: string): Answer => readBy(new ReasoningTags(), [[own, text(content)], [FINISH]]);
  expect(read('One.\n</think>\nTwo.')).toEqual({ text: 'One.\n</think>\nTwo.', reasoning: 'plan a' });
  expect(read('\n</think>\n\nHello.')).toEqual({ text: 'Hello.', reasoning: 'plan a' });
});

it('shows reasoning once that came by itself and between tags', () => {
  const own: ProviderEvent = { type: 'reasoning-delta', text: 'plan a' };
  const batches = [[own, text('<think>plan')], [text(' a</think>Hello.')], [FINISH]];
  expect(readBy(new ReasoningTags(), batches)).toEqual({ text: 'Hello.', reasoning: 'plan a' });
});

it('passes what it holds back before a call', () => {
  const call: ProviderEvent = { type: 'tool-call', id: null, name: 'add', args: {} };
  expect(new ReasoningTags().push([text('Let me see <'), call])).toEqual([text('Let me see '), text('<'), call]);
});

it('reads any pieces of an answer as it reads the whole, and holds little back', () => {
  const piece = fc.constantFrom(
    '<think>',
    '</think>',
    '<thi',
    'nk>',
    '[/THINK]',
    '\n',
    '```',
    '`',
    ' ',
    'Hello. ',
    '<',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
      expect(answerOf(...pieces)).toEqual(answerOf(pieces.join('')));
    }),
    { seed: 39, numRuns: 3_000 },
  );
  const blanks = ' '.repeat(4_000);
  expect(new ReasoningTags().push([text(`<think>x${blanks}`)]).length).toBeGreaterThan(0);
});

it.each(['</think>', '<think>a</think>', '<think></think>', '<THINK> </THINK>\n'])(
  'takes linear time for an event full of %j, and makes one of it',
  (piece) => {
    const began = process.cpuUsage();
    const events = new ReasoningTags().push([text(piece.repeat(1_600_000 / piece.length)), FINISH]);
    expect(events.length).toBeLessThanOrEqual(2);
    // It takes 0.1 s.
    expect(process.cpuUsage(began).user).toBeLessThan(10_000_000);
  },
);

it('reads a long text for few of the closing tags in it', () => {
  const spoken = 'It ends with </think>, and with </think>.';
  const read = (length: number): string => answerOf('a'.repeat(length), spoken, '\n</think>\nHello.').text;
  expect(read(100_000)).toBe('Hello.');
  expect(read(600_000)).toContain('\n</think>\nHello.');
});
