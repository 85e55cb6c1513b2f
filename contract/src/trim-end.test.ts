import { trimEndOf, trimOf } from './trim-end.js';

it.each([
  ['a.b. . ', '. ', 'a.b'],
  ['a.b', '. ', 'a.b'],
  ['...', '.', ''],
  ['', '.', ''],
  ['https://a.example//', '/', 'https://a.example'],
])('removes the end of %j of %j', (text, characters, expected) => {
  expect(trimEndOf(text, characters)).toBe(expected);
});

it.each([
  ['//a/b/', '/', 'a/b'],
  ['-*-', '-*', ''],
  [' a', '-', ' a'],
])('removes both ends of %j of %j', (text, characters, expected) => {
  expect(trimOf(text, characters)).toBe(expected);
});
