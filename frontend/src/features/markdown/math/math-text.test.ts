import { unifyMath } from './math-text';

describe('unifyMath', () => {
  it.each([
    ['\\(a\\) and \\[b\\]', '$$a$$ and \n$$\nb\n$$\n'],
    ['$a$ costs', '$$a$$ costs'],
    ['\\[\\] \\(', '\\[\\] \\('],
    ['`$a$` $b$', '`$a$` $$b$$'],
    ['``x ` $a$`` $b$', '``x ` $a$`` $$b$$'],
    ['```\n$a$ `x`\n```\n$b$', '```\n$a$ `x`\n```\n$$b$$'],
    ['a ` $b$\n```\n$c$\n```\n$d$ `', 'a ` $$b$$\n```\n$c$\n```\n$$d$$ `'],
    ['` $a$', '` $$a$$'],
  ])('writes %j as %j', (source, expected) => {
    expect(unifyMath(source)).toBe(expected);
  });

  // Quadratic work would take minutes.
  it.each(['`', '\\[', '\\(', '$$a', '$x', '> ', '` `` '])('reads a million characters of %j', (piece) => {
    const source = `$$ ${piece.repeat(1_000_000 / piece.length)}x`;
    expect(unifyMath(source).length).toBeGreaterThanOrEqual(source.length);
  });
});
