import { demoAnswer } from './demo-answer.js';

const answerTo = (text: string, attachments = 0): string => demoAnswer({ text, attachments });

it.each(['How do rainbows form?', 'Jelaskan bagaimana pelangi terbentuk', 'x'.repeat(32_000), ''])(
  'says that no provider is set and where to set one: %.40s',
  (text) => {
    const answer = answerTo(text);
    for (const part of ['General Settings', 'OPENROUTER_API_KEY', 'OPENAI_API_KEY', '\n- ', '\n```bash\n', '## ']) {
      expect(answer).toContain(part);
    }
    expect(answer.length).toBeLessThan(2_000);
  },
);

it('answers an Indonesian question in Indonesian', () => {
  expect(answerTo('Tulis haiku tentang hujan')).toContain('Anda bertanya:');
  expect(answerTo('Write a haiku about rain')).toContain('You asked:');
});

it('keeps markdown of the question inside the quotation', () => {
  const answer = answerTo('first\n```js\nalert(1)\n```\n<script>x</script>');
  expect(answer).toContain('> first');
  expect(answer).toContain('> \\<script>');
  expect(answer).toContain('> \\`\\`\\`js');
});

it('states how many pictures arrived, and that it cannot read them', () => {
  expect(answerTo('What is in this picture?', 2)).toContain('that arrived: 2. The demo cannot look at them.');
});
