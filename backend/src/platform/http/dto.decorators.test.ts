import { IsString, MaxLength as CodePointLength, validateSync } from 'class-validator';
import { MaxLength, MinLength } from './dto.decorators.js';

class Form {
  @IsString()
  @MinLength(2)
  @MaxLength(4)
  text: unknown;
}

class Loose {
  @CodePointLength(4)
  text = '😀'.repeat(4);
}

const problemsOf = (text: unknown) =>
  validateSync(Object.assign(new Form(), { text })).flatMap(({ constraints }) => Object.values(constraints ?? {}));

describe('MinLength and MaxLength', () => {
  it.each(['ab', 'abcd', '😀', '😀😀', 'e\u0301e\u0301', '❤\uFE0F'])('accept %j, as the page does', (text) => {
    expect(problemsOf(text)).toEqual([]);
  });

  it.each([
    ['😀😀😀', 'text must be shorter than or equal to 4 characters'],
    ['abcd\uFE0F', 'text must be shorter than or equal to 4 characters'],
    ['a', 'text must be longer than or equal to 2 characters'],
  ])('refuse %j', (text, problem) => expect(problemsOf(text)).toEqual([problem]));

  it.each([[['a', 'b']], [null], [7]])('leave %j to IsString', (value) =>
    expect(problemsOf(value)).toEqual(['text must be a string']),
  );

  it('count UTF-16 units, unlike class-validator', () => expect(validateSync(new Loose())).toEqual([]));
});
