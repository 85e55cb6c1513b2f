import type { MessagePart } from '@tanya/contract';
import {
  type AnswerPart,
  checkpointedParts,
  isDerivable,
  type PartEntry,
  partsOf,
  toMessagePart,
  toStoredPart,
} from './stored-parts.js';

const PARTS: MessagePart[] = [
  { type: 'reasoning', text: 'Hm 🙂. ', ms: 20 },
  { type: 'text', text: 'Let me see. ' },
  { type: 'tool', callId: 'a', tool: 'add', title: 'Add', args: {}, state: 'done', result: '2' },
  { type: 'reasoning', text: 'Two.' },
  { type: 'text', text: 'It is 2.' },
];
const TEXT = 'Let me see. It is 2.';
const REASONING = 'Hm 🙂. Two.';

describe('stored parts', () => {
  it('hold the lengths of text, and give the same parts again', () => {
    const stored = PARTS.map(toStoredPart);
    expect(JSON.stringify(stored)).not.toContain('Let me see');
    expect(partsOf({ content: TEXT, reasoning: REASONING, parts: stored })).toEqual(PARTS);
  });

  it('keep the name of reasoning, which clients do not get', () => {
    const named: AnswerPart = { type: 'reasoning', text: 'Hm.', ms: 20, name: 'reasoning_content' };
    expect(partsOf({ content: '', reasoning: 'Hm.', parts: [toStoredPart(named)] })).toEqual([named]);
    expect(toMessagePart(named)).toEqual({ type: 'reasoning', text: 'Hm.', ms: 20 });
  });

  it('are derived for messages without any', () => {
    expect(partsOf({ content: 'Hi', reasoning: 'hm', parts: null })).toEqual([
      { type: 'reasoning', text: 'hm' },
      { type: 'text', text: 'Hi' },
    ]);
    expect(partsOf({ content: '', reasoning: null, parts: null })).toEqual([]);
    const image = JSON.stringify({ text: 'a cat', imageUrl: '/api/files/1', type: 'image_generation' });
    expect(partsOf({ content: image, reasoning: null, parts: null })).toEqual([
      { type: 'image', url: '/api/files/1', alt: 'a cat' },
    ]);
  });

  it('lose no text when their lengths are too short', () => {
    expect(partsOf({ content: 'longer', reasoning: null, parts: [{ type: 'text', length: 4 }] })).toEqual([
      { type: 'text', text: 'long' },
      { type: 'text', text: 'er' },
    ]);
  });

  it('are left out where the columns give them whole', () => {
    expect(isDerivable([{ type: 'text', text: 'a' }])).toBe(true);
    expect(
      isDerivable([
        { type: 'reasoning', text: 'a' },
        { type: 'text', text: 'a' },
      ]),
    ).toBe(true);
    expect(
      isDerivable([
        { type: 'text', text: 'a' },
        { type: 'reasoning', text: 'a' },
      ]),
    ).toBe(false);
    expect(isDerivable(PARTS.slice(0, 2))).toBe(false);
  });

  it('of checkpoints replace earlier ones at the same index', () => {
    const tool = PARTS[2]!;
    const running = { ...tool, state: 'running', result: undefined } as MessagePart;
    const entries: PartEntry[] = [
      [0, { type: 'reasoning', length: 3 }],
      [1, { type: 'text', length: 4 }],
      [1, { type: 'text', length: 12 }],
      [0, { type: 'reasoning', length: 7, ms: 20 }],
      [2, toStoredPart(running)],
      [2, toStoredPart(tool)],
      [3, { type: 'reasoning', length: 4 }],
      [4, { type: 'text', length: 8 }],
    ];
    expect(checkpointedParts(entries, TEXT, REASONING)).toEqual(PARTS);
    expect(checkpointedParts([], 'text', '')).toEqual([{ type: 'text', text: 'text' }]);
  });
});
