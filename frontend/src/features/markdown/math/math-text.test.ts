import { unifyMath } from './math-text';

describe('unifyMath', () => {
  it.each([
    ['\\(a\\) and \\[b\\]', '$$a$$ and $$$ b $$$'],
    ['Then\n$$ x^2 $$\n> $$y$$', 'Then\n$$$ x^2 $$$\n> $$$ y $$$'],
    ['- $$\na\n$$\n- b', '- $$$ a $$$\n- b'],
    ['> \\[\n> a % why\n> \\% > b\n> \\]', '> $$$ a \\% > b $$$'],
    ['\\[ a \\\\[6pt] b \\]', '$$$ a \\\\[6pt] b $$$'],
    ['$a\\\\[2pt]b$ then \\[ q \\]', '$$a\\\\[2pt]b$$ then $$$ q $$$'],
    ['\\\\( x \\\\) and \\\\[ y \\\\]', '$$x$$ and $$$ y $$$'],
    ['| $|x|$ | \\(P(A|B)\\) |', '| $$\\vert x\\vert $$ | $$P(A\\vert B)$$ |'],
    ['from $$$ to $$$$', 'from \\$\\$\\$ to \\$\\$\\$\\$'],
    ['\\(a\n\nb\\)', '\\(a\n\nb\\)'],
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
  it.each(['`', '\\[', '\\(', '$$a', '$x', '> ', '` `` ', '\\(a\\)', '$$a\n\n', '\\\\['])(
    'reads a million characters of %j',
    (piece) => {
      const source = `$$ ${piece.repeat(1_000_000 / piece.length)}x`;
      expect(unifyMath(source).length).toBeGreaterThanOrEqual(source.length);
    },
  );

  it.each([`${'\\[\n'.repeat(60_000)}\`\\]\``, `${'%\\[\n'.repeat(60_000)}\\]`, `$$\n% $a$\n$$`])(
    'leaves delimiters that open no formula, however many, case %#',
    (source) => expect(unifyMath(source)).toBe(source),
  );
});
