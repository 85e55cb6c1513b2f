import { matchingLine, withoutMarks } from './matching-line.js';

describe('the line of a search result', () => {
  it('is the first line with the most of the words', () => {
    const text = 'About boats\n\nA harbour at dawn\nThe HARBOUR at night\nnight and the harbour';
    expect(matchingLine(text, 'harbour night')).toBe('The HARBOUR at night');
    expect(matchingLine(text, 'harb')).toBe('A harbour at dawn');
  });

  it('matches at the beginning of a word alone', () => {
    expect(matchingLine('a starboard light\nthe board', 'board')).toBe('the board');
  });

  it('takes letters with their vowel signs as one word', () => {
    expect(matchingLine('कल कब तब\nकिताब की दुकान', 'किताब')).toBe('किताब की दुकान');
  });

  it('is cut around the first match', () => {
    const line = matchingLine(`${'word '.repeat(200)}needle ${'more '.repeat(200)}`, 'needle');
    expect(line).toMatch(/^….*needle.*…$/);
    expect(line.length).toBeLessThan(203);
    expect(matchingLine(`needle ${'more '.repeat(200)}`, 'needle')).toMatch(/^needle .*…$/);
    expect(matchingLine(`${'more '.repeat(200)}needle`, 'needle')).toMatch(/^….* needle$/);
  });

  it('begins at the start of a word, where its script has spaces', () => {
    const words = `${'forecast '.repeat(40)}needle ${'more '.repeat(60)}`;
    expect(matchingLine(words, 'needle')).toMatch(/^…(?:forecast )+needle/);
    expect(matchingLine(`${'港'.repeat(300)} needle`, 'needle')).toMatch(/^…港+ needle$/);
  });

  it('has no marks of Markdown in an answer', () => {
    expect(withoutMarks('## The **harbour**\n- `ls -l` of __it__\n> 3. a * b\n```ts')).toBe(
      'The harbour\nls -l of it\n3. a * b\nts',
    );
  });

  it('never splits a surrogate pair', () => {
    for (const lead of ['', 'x'])
      expect(matchingLine(`${lead}${'😀'.repeat(150)} needle ${'😀'.repeat(150)}`, 'needle').isWellFormed()).toBe(true);
  });

  it('is the first line with text when no word is found', () => {
    expect(matchingLine('\n  \nhttps://example.org/a\nb', '!!!')).toBe('https://example.org/a');
    expect(matchingLine('', 'word')).toBe('');
  });
});
