import { findingsOf } from './prose.mjs';

const adviceOn = (path, source) => findingsOf(path, source).map(([, , advice]) => advice);

describe('log lines', () => {
  it.each([
    'The bus failed',
    'could not publish',
    'bus publish failed. Serving local',
    'nobody is subscribed',
    'rows left out for those who left',
    'events dropped; the bus tells the node',
    'reads at most so many rows',
    'settings reload failed; the row says nothing',
  ])('reports "%s"', (text) => {
    expect(adviceOn('a.ts', `this.logger.warn({ id }, '${text}');`)).not.toEqual([]);
  });

  it('reports a template with its line', () => {
    expect(findingsOf('a.tsx', '\nlogger.error(`The node ${id} failed`);')).toEqual([
      [2, 'The node x failed', expect.any(String)],
    ]);
  });

  it('accepts a subject, its failure and the consequence', () => {
    expect(adviceOn('a.ts', "this.logger.warn({ id }, 'bus publish failed; delivered locally');")).toEqual([]);
  });

  it('does not check comments and other strings', () => {
    expect(adviceOn('a.mjs', "// Nobody knows.\nsend('The node knows.');")).toEqual([]);
  });
});

describe('documents', () => {
  it('reports a line of more than 100 characters', () => {
    expect(findingsOf('a.md', `# Title\n\n${'word '.repeat(21)}`)).toEqual([
      [3, expect.any(String), 'wrap at 100 characters'],
    ]);
  });

  it('accepts rows of tables, blocks of code and long links', () => {
    const words = 'word '.repeat(30);
    expect(adviceOn('a.md', `| ${words} |\n\n\`\`\`\n${words}\n\`\`\`\n`)).toEqual([]);
    expect(adviceOn('a.md', `[link](https://example.com/${'a'.repeat(120)})`)).toEqual([]);
  });
});
