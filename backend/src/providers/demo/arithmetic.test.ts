import { solveArithmetic } from './arithmetic.js';

it.each([
  ['What is (12 + 30) * 2?', 84],
  ['2+2', 4],
  ['what is 12 \n  times\t3', 36],
  ['0.1 + 0.2', 0.30000000000000004],
  ['what is 2^3^2', 512],
  ['calculate -3 - -4', 1],
  ['1,000 x 3 = ?', 3000],
  ['Berapa 15% dari 200?', 30],
  ['hitung 7 kali 6', 42],
  ['how much is 10 divided by 4', 2.5],
])('solves %s to %p', (question, value) => {
  expect(solveArithmetic(question)?.value).toBe(value);
});

it.each([
  'we are open 24/7',
  'my number is 0812-3456-7890',
  '2024-01-15',
  'what is love?',
  'what is 5',
  'what is 1/0',
  'what is (2+',
  '',
  '42',
])('finds no expression in %p', (question) => {
  expect(solveArithmetic(question)).toBeNull();
});
