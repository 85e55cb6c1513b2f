/** Deterministic Markdown as models write it: headings, paragraphs, lists, code and tables. */
const SECTIONS = [
  (n) => `## Part ${n}: what the harbour teaches\n\n`,
  () =>
    'A harbour is a promise that **somebody will be there** when you come back. The boats that leave before dawn count on ' +
    'it, and so do the people who never leave: the woman who sells `rope` by the metre, the man who paints names on ' +
    'bows, the children who know each hull by its sound. See [the chart](https://example.org/chart) for the way in.\n\n',
  () =>
    '- The tide sets the hour, *not* the clock\n- A knot that holds is worth more than a knot that shines\n' +
    '- Whoever reads the sky eats well, and whoever does not learns to **mend nets**\n\n',
  () =>
    'None of this is written anywhere. It is handed on in half sentences, over the noise of engines, by people who would ' +
    'be surprised to hear that they teach. And yet a season is enough to tell who has listened.\n\n',
  (n) => `\`\`\`js\n${code(n, 9)}\`\`\`\n\n`,
  (n) => `1. Check the lines twice\n2. Wait for the bell of ${n} o'clock\n3. Go out slowly, and come back slower\n\n`,
  (n) =>
    n % 3 === 0
      ? '| boat | crew | catch |\n|---|---:|---:|\n| Ayu | 4 | 310 |\n| Bima | 6 | 542 |\n\n'
      : '> Slow is smooth.\n\n',
];

function code(from, lines) {
  return Array.from({ length: lines }, (_, index) => {
    const n = from * 100 + index;
    return `const tide${n} = measure(harbour[${n}], { metres: ${n % 7}, at: 'dawn' }); // the ${n}th\n`;
  }).join('');
}

/** The first characters of an essay. */
export function essay(length) {
  let text = '';
  for (let n = 1; text.length < length; n += 1) for (const section of SECTIONS) text += section(n);
  return text.slice(0, length);
}

/** The same, but from `fence` on one block of code that does not end. */
export function essayInCode(length, fence) {
  const opening = `${essay(fence)}\n\n\`\`\`js\n`;
  return (opening + code(1, Math.ceil((length - fence) / 70))).slice(0, length);
}
