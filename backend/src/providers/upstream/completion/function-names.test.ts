import { FunctionNames, nameIn } from './function-names.js';

describe('a name in pieces', () => {
  const names = new FunctionNames(['read', 'read_file', 'write']);

  it.each([
    ['read', true],
    ['read_', true],
    ['write', false],
    ['other', false],
    ['', false],
  ])('of which %j has come goes on: %s', (name, mayGoOn) => {
    expect(names.mayGoOn(name)).toBe(mayGoOn);
  });

  it.each([
    ['its next piece', 'read', '_file', 'read_file'],
    ['a part of its next piece', 'read', '_fi', 'read_fi'],
    ['the name so far', 'rea', 'read_file', 'read_file'],
  ])('is continued by %s', (_case, beginning, piece, name) => {
    expect(names.continued(beginning, piece)).toBe(name);
  });

  it.each([
    ['the whole name again, which is another call', 'read', 'read'],
    ['the name of another function', 'read', 'write'],
    ['a piece of no function', 'read', '_web'],
  ])('is not continued by %s', (_case, beginning, piece) => {
    expect(names.continued(beginning, piece)).toBeNull();
  });
});

it.each([
  [' add ', 'add'],
  ['functions.add:0', 'add'],
  ['add<|channel|>commentary', 'add'],
  ['null', ''],
  ['x'.repeat(300), 'x'.repeat(200)],
])('reads a name without what servers leave around it: %j', (text, name) => {
  expect(nameIn(text)).toBe(name);
});
