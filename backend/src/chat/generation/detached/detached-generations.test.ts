import { DetachedGenerations } from './detached-generations.js';
import type { AnswerPiece } from './detached-answer.js';

it('tells a reader that fails at once, and not at the end of the answer', async () => {
  let listener!: (piece: AnswerPiece) => void;
  const detached = { listen: (listen: typeof listener) => ((listener = listen), unsubscribe) };
  const unsubscribe = jest.fn();
  const run = { detached, model: { modelId: 'm' } } as never;
  const unended = { answer: () => new Promise(() => undefined), timings: { settleRetry: 1 } };
  const generations = Object.assign(
    Object.create(DetachedGenerations.prototype) as object,
    unended,
  ) as never as DetachedGenerations;
  const onPiece = jest.fn(() => {
    throw new Error('gone');
  });
  const followed = generations.follow('user:1', { generationId: 'g', run }, onPiece);
  for (const text of ['a', 'b']) listener({ type: 'text', choice: 0, text });
  await expect(followed).rejects.toThrow('gone');
  expect([onPiece.mock.calls.length, unsubscribe.mock.calls.length]).toEqual([1, 1]);
});
