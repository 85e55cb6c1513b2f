import { type AnswerPiece, DetachedAnswer } from './detached-answer.js';

it('sends each character once to a client that joined an answer, and the details of its reasoning once', () => {
  const answer = new DetachedAnswer(1);
  const pieces: AnswerPiece[] = [];
  const [name, choice, details] = ['reasoning_content' as const, 0, [{ data: 'x' }]];
  answer.append(0, { type: 'reasoning-content' });
  answer.append(0, { type: 'reasoning-delta', text: 'Hm' });
  const leave = answer.listen((piece) => pieces.push(piece));
  answer.append(0, { type: 'reasoning-delta', text: ', so' });
  answer.append(0, { type: 'text-delta', text: 'Yes' });
  answer.append(0, { type: 'reasoning-details', details });
  leave();
  answer.append(0, { type: 'text-delta', text: '.' });
  expect(pieces).toEqual([
    { type: 'reasoning', choice, name, text: 'Hm' },
    { type: 'reasoning', choice, name, text: ', so' },
    { type: 'text', choice, text: 'Yes' },
    { type: 'reasoning-details', choice, details },
  ]);
  expect(answer.all).toMatchObject([{ text: 'Yes.', reasoning: { text: 'Hm, so', details } }]);
});

it('ends all answers when one has the longest length', () => {
  const answer = new DetachedAnswer(3);
  answer.append(0, { type: 'text-delta', text: 'a' });
  answer.append(0, { type: 'finish', reason: 'stop' });
  answer.append(2, { type: 'text-delta', text: 'x'.repeat(1_000_000) });
  answer.append(1, { type: 'text-delta', text: 'b' });
  expect(answer.isCut).toBe(true);
  answer.cut();
  expect(answer.all.map(({ choice, finishReason }) => [choice, finishReason])).toEqual([
    [0, 'stop'],
    [1, 'length'],
    [2, 'length'],
  ]);
});

it('keeps the likelihoods of all answers within one bound, and passes them on in small pieces', () => {
  const answer = new DetachedAnswer(2);
  const entry = { token: 'x'.repeat(10_000) };
  for (const number of [0, 1])
    answer.append(number, { type: 'logprobs', content: Array.from({ length: 500 }, () => entry), refusal: [] });
  const kept = answer.all.map(({ logprobs }) => logprobs?.content.length);
  expect(kept).toEqual([500, 299]);
  const pieces: AnswerPiece[] = [];
  answer.listen((piece) => pieces.push(piece));
  expect(pieces.map((piece) => piece.type === 'logprobs' && piece.content.length)).toEqual([...Array(7).fill(100), 99]);
});
