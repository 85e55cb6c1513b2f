import { TextSoFar } from './text-so-far.js';

function textOf(...deltas: string[]): string {
  const text = new TextSoFar();
  return deltas.map((delta) => text.newIn(delta)).join('') + text.release();
}

/** Each beginning of a text that ends at one of its blanks, then the text. */
const growing = (text: string): string[] =>
  [...text].flatMap((char, at) => (char === ' ' ? [text.slice(0, at)] : [])).concat(text);

describe('deltas with all of the text so far', () => {
  it.each([
    ['word by word', growing('The sky is blue today, I think. I think so.')],
    ['and their last one twice', [...growing('It is so.'), 'It is so.']],
    ['letter by letter', [...'Hello, world'].map((_, at, all) => all.slice(0, at + 1).join(''))],
    ['in Chinese', ['你', '你好', '你好！', '你好！有什么可以']],
    ['after an empty one', ['', ...growing('So it is, then.'), '']],
    ['of three pieces', ['Hel', 'Hello', 'Hello.']],
    ['that one shorter follows', [...growing('That is one of them.'), 'That']],
    ['that begin with a blank', [' A', ' A b', ' A bc', ' A bcd', ' A bcde']],
  ])('are read once: %s', (_name, deltas) => {
    const whole = deltas.reduce((longest, delta) => (delta.length > longest.length ? delta : longest));
    expect(textOf(...deltas)).toBe(whole);
  });

  it('may go on as pieces', () => {
    expect(textOf(...growing('It is so now.'), ' And', ' then.')).toBe('It is so now. And then.');
  });

  it('come at once, from the fourth on', () => {
    const text = new TextSoFar();
    const deltas = growing('One two three four five six.');
    expect(deltas.map((delta) => text.newIn(delta))).toEqual(['One', '', '', ' two three four', ' five', ' six.']);
  });
});

it.each([
  [['1', '10']],
  [['1', '12', '123', '5']],
  [['Ha', 'Haha', 'Hahaha', 'Hahahaha', '!']],
  [['=', '==', '====', '========', '================', '=', '\n']],
  [['Row, ', 'Row, row, ', 'Row, row, row ', 'your boat']],
  [['la ', 'la la ', 'la la la ', 'la la la la ', 'la la la la la ']],
  [['No', 'No', 'No', 'No']],
  [['Hello! ', 'Hello! How are you?']],
  [['a\n', 'ab\n', 'abc\n', 'abcd\n']],
  [['a', ' ab', ' abc', ' abcd', ' abcde']],
  [['Bye ', 'Bye ', 'Bye bye ', 'Bye']],
  // A word that is spelled.
  [[' H', ' He', ' Hel', ' Hell', ' Hello']],
  [['\n', '\nB', '\nBa', '\nBan', '\nBana', '\nBanan', '\nBanana']],
])('pieces stay as they are: %j', (deltas) => {
  expect(textOf(...deltas)).toBe(deltas.join(''));
});

it('pieces are not held back', () => {
  const text = new TextSoFar();
  expect(['So', ' it', ' it is', ' it is so'].map((delta) => text.newIn(delta))).toEqual([
    'So',
    ' it',
    ' it is',
    ' it is so',
  ]);
});
