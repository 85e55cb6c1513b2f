import type { ProviderEvent } from '../../provider.js';
import { StopTokens } from './stop-tokens.js';

const FINISH: ProviderEvent = { type: 'finish', reason: 'stop' };

function answerOf(...pieces: string[]): string {
  const tokens = new StopTokens();
  const batches = [...pieces.map((text): ProviderEvent[] => [{ type: 'text-delta', text }]), [FINISH]];
  const events = batches.flatMap((batch) => tokens.push(batch));
  expect(events.at(-1)).toEqual(FINISH);
  return events.map((event) => (event.type === 'text-delta' ? event.text : '')).join('');
}

it.each([
  ['Hello.<|im_end|>', 'Hello.'],
  ['Hello.<|eot_id|>\n', 'Hello.'],
  ['Hello.\n<end_of_turn>', 'Hello.\n'],
  ['Hello.<｜end▁of▁sentence｜>', 'Hello.'],
  ['<|im_end|>', ''],
  ['Hello.</s>', 'Hello.'],
  ['Hello.</s>\n', 'Hello.'],
  ['a < b</s>', 'a < b'],
  ['See [1].[|endofturn|]', 'See [1].'],
  ['Hello.[e~[', 'Hello.'],
  ['你好。<turn|>', '你好。'],
  ['It is 4.\n</answer>', 'It is 4.\n'],
  ['<answer>4</answer>', '<answer>4</answer>'],
  // A tag of HTML.
  ['It costs <s>9</s>', 'It costs <s>9</s>'],
  ['It costs <S class="old">9</s>', 'It costs <S class="old">9</s>'],
  ['</s>', '</s>'],
  ['It ends with `</s>`', 'It ends with `</s>`'],
  ['<ul><li>9</li></ul>', '<ul><li>9</li></ul>'],
  ['a[0][e~', 'a[0][e~'],
  // Elsewhere, spoken of, in code, or another tag.
  ['Hello.<|im_end|>\nMore.', 'Hello.<|im_end|>\nMore.'],
  ['Its token is <|im_end|>', 'Its token is <|im_end|>'],
  ['Llama 2 ends with\n</s>', 'Llama 2 ends with\n</s>'],
  ['It is:\n</s>\n', 'It is:\n</s>\n'],
  ['Qwen ends its turns with:\n\n<|im_end|>', 'Qwen ends its turns with:\n\n<|im_end|>'],
  ['停止符：\n<|im_end|>', '停止符：\n<|im_end|>'],
  ['```text\n<|eot_id|>', '```text\n<|eot_id|>'],
  ['At 10:30\n<|im_end|>', 'At 10:30\n'],
  ['Its token is `<|im_end|>`', 'Its token is `<|im_end|>`'],
  ['a < b, <s>old</s>', 'a < b, <s>old</s>'],
  ['cut <|im_', 'cut <|im_'],
  ['cut<|im_', 'cut<|im_'],
  ['Hello.<', 'Hello.<'],
  [`Hello.<|im_end|>${' '.repeat(500)}.`, `Hello.<|im_end|>${' '.repeat(500)}.`],
])('%j is the answer %j', (content, shown) => {
  for (let at = 0; at <= content.length; at += 1) expect(answerOf(content.slice(0, at), content.slice(at))).toBe(shown);
  expect(answerOf(...content)).toBe(shown);
});

it('leaves a token at the end of an answer that was cut', () => {
  const events = new StopTokens().push([
    { type: 'text-delta', text: '```\nHi<|im_end|>' },
    { type: 'finish', reason: 'length' },
  ]);
  expect(events.map((event) => (event.type === 'text-delta' ? event.text : ''))).toEqual(['```\nHi', '<|im_end|>', '']);
});

it('passes other events on in their place', () => {
  const tokens = new StopTokens();
  const call: ProviderEvent = { type: 'tool-call', id: null, name: 'add', args: {} };
  const reasoning: ProviderEvent = { type: 'reasoning-delta', text: 'a <|im_end|>' };
  expect(tokens.push([reasoning, { type: 'text-delta', text: 'Hm.<|call|>' }, call])).toEqual([
    reasoning,
    { type: 'text-delta', text: 'Hm.' },
    call,
  ]);
});
