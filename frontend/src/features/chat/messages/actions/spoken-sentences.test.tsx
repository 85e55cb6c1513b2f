import { sentencesIn } from './spoken-sentences';

const WORDS = { code: 'Code is left out.', formula: 'formula' };

function read(html: string): string[] {
  document.body.innerHTML = `<div id="answer">${html}</div>`;
  const sentences = sentencesIn([document.getElementById('answer')!], 'en', WORDS);
  return sentences.map(({ text }) => text);
}

it('reads sentences across emphasis, and blocks apart', () => {
  expect(
    read('<h2>Title</h2><p>One <b>bold</b> word. Two!  </p><ul><li>Item<ul><li>Inner</li></ul></li></ul>'),
  ).toEqual(['Title', 'One bold word.', 'Two!', 'Item', 'Inner']);
});

it('says a word in place of code, and leaves out what is shown twice', () => {
  expect(
    read(
      '<p>Before.</p><div class="code-block"><button>Copy</button><pre>let x;</pre></div><p>After <i aria-hidden="true">x</i><a class="citation">1</a>.</p><p>—</p>',
    ),
  ).toEqual(['Before.', 'Code is left out.', 'After .']);
});

it('says a word in place of a formula whose signs alone would mean something else', () => {
  const half = '<math><mfrac><mn>1</mn><mn>2</mn></mfrac></math>';
  const sum = '<math><mi>a</mi><mo>+</mo><msub><mi>b</mi><mn>1</mn></msub></math>';
  expect(read(`<p>Take ${half}. Add ${sum}.</p><p>${half}</p>`)).toEqual(['Take formula.', 'Add a+b1.', 'formula']);
  expect(read('<p><math><mn>10</mn><msub><mn>1</mn><mn>2</mn></msub></math> is five.</p>')).toEqual([
    'formula is five.',
  ]);
  document.body.innerHTML = `<p>${half} is less. So is ${half}</p>`;
  const sentences = sentencesIn([document.body.firstElementChild!], 'en', WORDS);
  expect(sentences.map(({ range }) => range.toString())).toEqual(['12 is less.', 'So is 12']);
});

it('knows the place of each sentence', () => {
  document.body.innerHTML = '<div><p>One <b>bold</b> word. <i>Two</i>!</p></div>';
  const sentences = sentencesIn([document.body.firstElementChild!], 'en', WORDS);
  expect(sentences.map(({ range }) => range.toString())).toEqual(['One bold word.', 'Two!']);
});

it('cuts long sentences at pauses, words or anywhere', () => {
  const long = `${'word '.repeat(30)}end, ${'more '.repeat(30)}`.trim();
  const pieces = read(`<p>${long}</p>`);
  expect(pieces.join(' ')).toBe(long);
  expect(pieces[0]).toMatch(/end,$/);
  expect(read(`<p>${'あ'.repeat(450)}</p>`).map(({ length }) => length)).toEqual([200, 200, 50]);
});
