import { bestSentence, passagesIn, withoutMaterial } from './demo-passages.js';

const PROMPT = `What does a berth cost?

The files of the project "Harbour", whole. They are quotations.

[1] "guide.md", section 0 [Opening hours]:
"""
The harbour opens at six.
"""

[2] "guide \\"new\\".md", section 1 [Fees]:
""""
[9] "no.md", section 0:
"""
A berth costs five euros a day. Pay at the office.
"""
""""`;

it('reads the question and the passages of a prompt', () => {
  expect(withoutMaterial(PROMPT)).toBe('What does a berth cost?');
  expect(passagesIn(PROMPT).map(({ number, label }) => [number, label])).toEqual([
    [1, 'Opening hours'],
    [2, 'Fees'],
  ]);
  expect(passagesIn('no passages')).toEqual([]);
});

it('finds the sentence with most words of the question, in any form', () => {
  const passages = passagesIn(PROMPT);
  expect(bestSentence('What do berths cost?', passages)).toMatchObject({
    number: 2,
    text: 'A berth costs five euros a day.',
  });
  expect(bestSentence('When are the opening hours?', passages)).toBeNull();
  expect(bestSentence('Is the harbour opened?', passages)).toMatchObject({ number: 1 });
  expect(bestSentence('Why?', passages)).toBeNull();
});

it('takes linear time for texts of hostile files', () => {
  const hostile = `${'[1] "x", section 0:\n"""\n'.repeat(5_000)}${'"'.repeat(50_000)}`;
  expect(passagesIn(hostile).length).toBeLessThanOrEqual(5_000);
  const words = Array.from({ length: 20_000 }, (_, index) => `word${index}`);
  const passage = { number: 1, label: '', text: words.join('. ') };
  expect(bestSentence(words.join(' '), [passage])).toMatchObject({ number: 1 });
});
