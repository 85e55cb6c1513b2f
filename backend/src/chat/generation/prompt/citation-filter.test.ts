import { CitationFilter } from './citation-filter.js';

/** The shown text and the cited numbers of an answer that knows 1, 2 and 12, whatever the pieces in which it arrives. */
function filtered(answer: string): { text: string; cited: number[] } {
  const results = [1, 2, 3, answer.length || 1].map((size) => {
    const cited = new Set<number>();
    const filter = new CitationFilter(
      (number) => [1, 2, 12].includes(number),
      (number) => void cited.add(number),
    );
    let text = '';
    for (let at = 0; at < answer.length; at += size) text += filter.push(answer.slice(at, at + size));
    return { text: text + filter.flush(), cited: [...cited] };
  });
  for (const result of results) expect(result).toEqual(results[0]);
  return results[0]!;
}

it.each([
  ['Six [1].', 'Six [1].', [1]],
  ['Six [1][2][12]', 'Six [1][2][12]', [1, 2, 12]],
  ['Six [3].', 'Six .', []],
  ['[1]', '[1]', [1]],
  ['[7]', '', []],
  ['[[1]]', '[[1]]', [1]],
  ['Six [1, 2] or [1,12;2].', 'Six [1][2] or [1][12][2].', [1, 2, 12]],
  ['Six [1, 7].', 'Six [1].', [1]],
  ['between [3, 7] and [0, 1]', 'between [3, 7] and [0, 1]', []],
  ['[1, a] [1,] [1,,2] [1, 2', '[1, a] [1,] [1,,2] [1, 2', []],
  ['`[1, 2]` [1, 2](https://a.example/)', '`[1, 2]` [1, 2](https://a.example/)', []],
  ['六点【1】【7】，十点【1、2】。', '六点[1]，十点[1][2]。', [1, 2]],
  ['【注意】', '【注意】', []],
  ['six [1-2] and [1–2]', 'six [1][2] and [1][2]', [1, 2]],
  ['six [1-2, 12] and [12, 1-2]', 'six [1][2][12] and [12][1][2]', [1, 2, 12]],
  [
    'pages [1-3], a scale [1-5], [2-1], [0-2], [1-1], [1-2-3]',
    'pages [1-3], a scale [1-5], [2-1], [0-2], [1-1], [1-2-3]',
    [],
  ],
  ['the point [7, 7], six [2, 2] and [1-2, 2]', 'the point [7, 7], six [2] and [1][2]', [2, 1]],
  ['on [2024-05-01] and [12-]', 'on [2024-05-01] and [12-]', []],
  ['six【1†L3-L9】, ten【2†source】【7†source】', 'six[1], ten[2]', [1, 2]],
  [`【1†${'x'.repeat(60)}】 【1†`, `【1†${'x'.repeat(60)}】 【1†`, []],
  ['[1†source]', '[1†source]', []],
  ['[', '[', []],
  ['[1', '[1', []],
  ['[12345]', '[12345]', []],
  ['a[i] and [x] and []', 'a[i] and [x] and []', []],
  ['- [ ] task', '- [ ] task', []],
  ['[7](https://a.example/)', '[7](https://a.example/)', []],
  ['[7]: note [1]', ': note [1]', [1]],
  ['![7](a)', '![7](a)', []],
  ['\\[7\\]', '\\[7\\]', []],
  ['`a[7]` [7]', '`a[7]` ', []],
  ['``a`[7]`` [1]', '``a`[7]`` [1]', [1]],
  ['```js\na[7]\n```\n[7][1]', '```js\na[7]\n```\n[1]', [1]],
  ['~~~\na[7]\n```\n[7]\n~~~\n[7]', '~~~\na[7]\n```\n[7]\n~~~\n', []],
  ['```a[7]``` [7][1]', '```a[7]``` [1]', [1]],
  ['```a`[7]``` [1]', '```a`[7]``` [1]', [1]],
  ['~~no~~ [7]', '~~no~~ ', []],
  ['$x_{[7]}$ [7]', '$x_{[7]}$ ', []],
  ['$$\na[7]\n$$ [7]', '$$\na[7]\n$$ ', []],
  ['\\(a[7]\\) [7] \\[b[7]\\] [1]', '\\(a[7]\\)  \\[b[7]\\] [1]', [1]],
  ['It costs $5 [7] or $6 [1].', 'It costs $5  or $6 [1].', [1]],
  ['[text](https://a.example/[7]) [7]', '[text](https://a.example/[7]) ', []],
  ['an open `tick [7]\n\nnew [7]', 'an open `tick [7]\n\nnew ', []],
])('shows %j as %j', (answer, text, cited) => {
  expect(filtered(answer)).toEqual({ text, cited });
});

it('holds back at most six characters, and no list that is none', () => {
  const filter = new CitationFilter(
    () => true,
    () => undefined,
  );
  let shown = 0;
  const answer = 'A [1234] b [12 c [123456] d [1](x) [1, x] [1,, [[[[[1';
  for (const [at, character] of [...answer].entries()) {
    shown += filter.push(character).length;
    expect(at + 1 - shown).toBeLessThanOrEqual(6);
  }
});

it.each(['`', '$', '`a', '$a', '[1]`', ' `', '\\(', '[1'])('takes linear time for a line of %j', (piece) => {
  const passed = (length: number): number => {
    const filter = new CitationFilter(
      () => true,
      () => undefined,
    );
    return (filter.push(piece.repeat(length / piece.length)) + filter.flush()).length;
  };
  const began = process.cpuUsage();
  expect(passed(1_200_000)).toBe(1_200_000);
  // It takes 0.3 s.
  expect(process.cpuUsage(began).user).toBeLessThan(10_000_000);
});
