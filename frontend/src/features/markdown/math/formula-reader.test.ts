import { betweenFormulas, cutAsCode, unifyMath } from './formula-reader';

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
    ['so $ x^2 $ and $ y $ or $ a = b $', 'so $$x^2$$ and $$y$$ or $$a = b$$'],
    ['$20% of \\% x$ and \\[ 5% \\]', '$$20\\% of \\% x$$ and $$$ 5\\% $$$'],
    ['\\[\na &= 50% % why\n\\]', '$$$ a &= 50\\% $$$'],
    ['the $n$th of $2λ$ and $3×4$', 'the $$n$$th of $$2λ$$ and $$3×4$$'],
    [
      '\\begin{align*}\na &= b \\\\\nc\n\\end{align*}\nthen',
      '$$$ \\begin{align*} a &= b \\\\ c \\end{align*} $$$\nthen',
    ],
    [
      '- \\begin{equation}\n\\begin{cases}\n1\n\\end{cases}\n\\end{equation}',
      '- $$$ \\begin{equation} \\begin{cases} 1 \\end{cases} \\end{equation} $$$',
    ],
  ])('writes %j as %j', (source, expected) => {
    expect(unifyMath(source)).toBe(expected);
  });

  it.each([
    'pay $ 5 or $ 10 for $5 to $x',
    'run $ export A=1 and $ echo my_var $',
    '价格是$5，而$x是',
    '从$5涨到$x',
    'in $HOME/$USER and $AAPL, $PATH:$HOME',
    'use \\begin{align} in text \\end{align}',
    '\\begin{align} a \\end{gather}',
    '`\\begin{align} a \\end{align}`',
  ])('leaves %j', (text) => expect(unifyMath(text)).toBe(text));

  // Quadratic work would take minutes.
  it.each(['`', '\\[', '\\(', '$$a', '$x', '> ', '` `` ', '\\(a\\)', '$$a\n\n', '\\\\[', '\\begin{align}\n'])(
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

describe('betweenFormulas', () => {
  it('changes the text around formulas alone', () => {
    const text = unifyMath('see $a^2$ in `$$$ b`\n\\[ c \\]\nend');
    expect(betweenFormulas(text, (around) => around.toUpperCase())).toBe('SEE $$a^2$$ IN `$$$ B`\n$$$ c $$$\nEND');
  });

  // Quadratic work would take minutes.
  it('reads a million characters of code with dollars', () => {
    const text = '`$$$ a`'.repeat(150_000);
    expect(betweenFormulas(text, (around) => around)).toBe(text);
  });
});

test.each([
  ['so $$a$$ and\n$$\nx =\n  \\frac{1', 'so $$a$$ and\n`x = \\frac{1`'],
  ['so \\[ x^2 + y', 'so `x^2 + y`'],
  ['so \\(a\\) and \\(b_1', 'so \\(a\\) and `b_1`'],
  ['so \\[ x^2 \\\\[6pt] + y', 'so `x^2 \\\\[6pt] + y`'],
  ['so $$ x^2 \\\\[6pt] + y', 'so `x^2 \\\\[6pt] + y`'],
  ['so \\\\(a\\\\) and \\\\(x^2', 'so \\\\(a\\\\) and `x^2`'],
  ['so \\(a and $$ x^2', 'so \\(a and `x^2`'],
  ['so `x` and \\(x^2', 'so `x` and `x^2`'],
  ['so `x and \\(x^2', 'so `x and \\(x^2'],
  ['so `\\(` and x^2', 'so `\\(` and x^2'],
  ['so \\(a\\) and \\[ b \\]', 'so \\(a\\) and \\[ b \\]'],
  ['the id is $$ in a shell', 'the id is $$ in a shell'],
  ['```sh\nx=$$ y=', '```sh\nx=$$ y='],
])('shows the formula in which %j was cut off as code', (text, shown) => {
  expect(cutAsCode(text)).toBe(shown);
});
