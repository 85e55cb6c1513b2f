import { demoAnswer, languageOf } from './demo-answer.js';

const now = new Date('2026-11-20T08:30:00Z');
const answerTo = (text: string, attachments = 0): string => demoAnswer({ text, attachments, turn: 1, now });

it.each([
  'How do rainbows form?',
  'hello',
  'What is 2 + 2?',
  'What day is it?',
  'Write a haiku',
  'Write a JavaScript function that removes duplicates from a list.',
  'Jelaskan bagaimana pelangi terbentuk',
  'x'.repeat(32_000),
  '',
])('says that no provider is set and where to set one: %.40s', (text) => {
  const answer = answerTo(text);
  for (const part of ['General Settings', 'OPENROUTER_API_KEY', 'OPENAI_API_KEY', '\n- ', '\n```bash\n', '## ']) {
    expect(answer).toContain(part);
  }
  expect(answer.length).toBeLessThan(2_000);
});

it('answers sums, dates, programs and poems', () => {
  expect(answerTo('What is (12 + 30) * 2?')).toContain('**84**');
  expect(answerTo('What day is it?')).toContain('Friday');
  expect(answerTo('Write a Python function for Fibonacci numbers')).toContain('```python\ndef fibonacci');
  expect(answerTo('Write a haiku about rain')).toMatch(/> .*\n> .*\n> /);
});

it('answers an Indonesian question in Indonesian', () => {
  expect(languageOf('Tulis haiku tentang hujan')).toBe('id');
  expect(languageOf('Write a haiku about rain')).toBe('en');
  expect(answerTo('Hari apa sekarang?')).toContain('Jumat');
});

it('keeps markdown of the question inside the quotation', () => {
  const answer = answerTo('first\n```js\nalert(1)\n```\n<script>x</script>');
  expect(answer).toContain('> first');
  expect(answer).toContain('> \\<script>');
  expect(answer).toContain('> \\`\\`\\`js');
});

it('states that it cannot read attachments', () => {
  expect(answerTo('What is in this picture?', 2)).toContain('cannot look into it');
});
