import { searchPattern } from '../../shared/search-pattern';
import { rangesOf } from './mark-words';

test('finds words in the shown text, across elements and ignoring case and white space', () => {
  const row = document.createElement('div');
  const [first, second, bold] = ['p', 'p', 'strong'].map((tag) => document.createElement(tag));
  bold!.append('old Harb');
  first!.append('The ', bold!, 'our is\nclosed.');
  second!.append('harbour');
  row.append(first!, second!);
  const found = (words: string) => rangesOf(row, searchPattern(words)!).map(String);
  expect(found('harbour')).toEqual(['Harbour', 'harbour']);
  expect(found('is closed')).toEqual(['is\nclosed']);
  expect(found('(old)')).toEqual([]);
});

test('leaves out reasoning and what stands a second time for screen readers, but not what an answer folds', () => {
  const row = document.createElement('div');
  row.innerHTML = `<details>reasoning x</details>
    <div class="answer-text">
      <details><summary>Details</summary><p>answer x</p></details>
      <span class="katex"><span class="katex-mathml">formula x</span><span class="katex-html">formula x</span></span>
    </div>`;
  const found = rangesOf(row, /(?:reasoning|answer|formula) x/u);
  expect(found.map(String)).toEqual(['answer x', 'formula x']);
  expect(found[1]!.startContainer.parentElement!.className).toBe('katex-html');
});

test('finds all places of a word, in one node and across several', () => {
  const row = document.createElement('div');
  row.append('a b a ', 'b', ' ', 'a b', 'a', ' b');
  expect(rangesOf(row, /a b/u).map(String)).toEqual(['a b', 'a b', 'a b', 'a b']);
});
