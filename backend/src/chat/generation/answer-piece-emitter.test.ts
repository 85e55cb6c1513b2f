import { AnswerPieceEmitter } from './answer-piece-emitter.js';
import type { AnswerPiece } from './live/answer-piece.js';
import type { RunEvent } from './live/generation-run.js';

const event = (type: 'text-delta' | 'reasoning-delta', text: string): RunEvent => ({
  ...{ generationId: 'g', threadId: 0, messageId: 0, seq: 1, part: 0 },
  ...{ type, text },
});

it('sends each character once to a client that joined an answer, and the details of its reasoning once', () => {
  const pieces: AnswerPiece[] = [];
  const emitter = new AnswerPieceEmitter((piece) => pieces.push(piece));
  const name = 'reasoning_content';
  emitter.sendRest({ text: '', reasoning: { name, text: 'Hm' } });
  emitter.sendEvent(event('reasoning-delta', ', so'), name);
  emitter.sendEvent(event('text-delta', 'Yes'), name);
  const details = [{ data: 'x' }];
  for (const text of ['Yes', 'Yes.']) emitter.sendRest({ text, reasoning: { name, text: 'Hm, so', details } });
  expect(pieces).toEqual([
    { type: 'reasoning', name, text: 'Hm' },
    { type: 'reasoning', name, text: ', so' },
    { type: 'text', text: 'Yes' },
    { type: 'reasoning-details', details },
    { type: 'text', text: '.' },
  ]);
});
