import { raised, withLetters } from './looks.js';

it.each([
  ['6', '⁶'],
  ['-12', '⁻¹²'],
  ['\u22121', '⁻¹'],
  ['n+1', 'ⁿ⁺¹'],
  ['6\n', '⁶\n'],
  ['st', 'st'],
  ['2nd', '2nd'],
  ['(1)', '(1)'],
  ['', ''],
])('raises %j as %j', (text, shown) => {
  expect(raised(text)).toBe(shown);
});

it.each([
  ['was ', '100', 'was ~~100~~'],
  ['was ~~10~~', '0', 'was ~~100~~'],
  ['was', ' ', 'was '],
])('marks struck letters: %j, %j', (line, letters, whole) => {
  expect(withLetters(line, letters, true)).toBe(whole);
});
