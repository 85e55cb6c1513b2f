import { findingsOf } from './prose.mjs';

const adviceOn = (path, source) => findingsOf(path, source).map(([, , advice]) => advice);

const RIDDLES = [
  'Whoever follows the thread',
  'Nobody reads the file',
  'for everyone on the node',
  'Those who write',
  'the client whom it serves',
  'Returns what was said before',
  'Drops what comes later',
  'The node keeps its word',
  'The bus tells the node',
  'The node knows the run',
  'The client wants a snapshot',
  'The server remembers the tools',
  'The node learns of the socket',
  'What remains is listed',
  'The test runs again. What passes is listed',
  'At most so many rows',
  'An id that is none',
  'The row says nothing',
];

describe('prose in comments', () => {
  it.each(RIDDLES)('reports "%s" in a line comment, a docstring and a document', (sentence) => {
    expect(adviceOn('a.ts', `// ${sentence}\nconst a = 1;`)).toHaveLength(1);
    expect(adviceOn('a.tsx', `/** ${sentence}. */\nexport const a = <p />;`)).toHaveLength(1);
    expect(adviceOn('a.md', `# Title\n\n${sentence}.`)).toHaveLength(1);
  });

  it('reports the line of a comment that ends the file', () => {
    expect(findingsOf('a.mjs', 'const a = 1;\n\n// Nobody reads it.')).toEqual([
      [3, '// Nobody reads it.', expect.any(String)],
    ]);
  });

  it('accepts plain sentences, names in backquotes and quotations', () => {
    const source = '/** The reaper closes orphans; see `whoever`, and "nobody" in the log. */\nconst knows = 1;';
    expect(adviceOn('a.ts', source)).toEqual([]);
  });
});

describe('sentences that begin with "What"', () => {
  it('reports the title of a test', () => {
    expect(adviceOn('a.test.ts', "it('What passes is listed', run);")).toHaveLength(1);
  });

  it('reports a docstring of several lines and a row of a table', () => {
    expect(adviceOn('a.ts', '/**\n * What a run needs:\n * a model.\n */\nconst a = 1;')).toHaveLength(1);
    expect(adviceOn('a.md', '| quota | What an owner may spend. |')).toHaveLength(1);
  });

  it('accepts questions, headings and quotations', () => {
    for (const text of [
      'What does a run cost?',
      '| What is a run? | A generation. |',
      '## What is open',
      '"What is it"',
    ])
      expect(adviceOn('a.md', text)).toEqual([]);
    expect(adviceOn('a.ts', '/** What is\n * a run? A generation. */\nconst a = 1;')).toEqual([]);
  });
});

describe('prose in .env.example and YAML', () => {
  it.each(['.env.example', 'docs/deploy/a.yaml', 'docker-compose.yml'])('reports comments of %s', (path) => {
    expect(findingsOf(path, 'port: 80\n# The client knows the role.\n')).toEqual([
      [2, '# The client knows the role.', expect.any(String)],
    ]);
    expect(adviceOn(path, 'port: 80 # What a client opens.')).toHaveLength(1);
  });

  it('does not check values', () => {
    for (const text of RIDDLES)
      expect(adviceOn('.env.example', `#NAME=${text}\nNAME=${text}\nNAME=a#${text}`)).toEqual([]);
  });
});

describe('prose in log lines', () => {
  it.each(['The bus failed', 'could not publish', 'bus publish failed. Serving local', 'nobody is subscribed'])(
    'reports "%s"',
    (text) => {
      expect(adviceOn('a.ts', `this.logger.warn({ id }, '${text}');`)).not.toEqual([]);
    },
  );

  it('reports a template', () => {
    expect(adviceOn('a.ts', 'logger.error(`The node ${id} failed`);')).toHaveLength(1);
  });

  it('accepts a subject, its failure and the consequence', () => {
    expect(adviceOn('a.ts', "this.logger.warn({ id }, 'bus publish failed; delivered locally');")).toEqual([]);
  });
});

describe('prose in test titles and sentences', () => {
  it.each(["it('tells the owner', run);", "it.each(rows)('whoever asks', run);", "describe('nobody', run);"])(
    'reports the title of %s',
    (source) => {
      expect(adviceOn('a.test.ts', source)).toHaveLength(1);
    },
  );

  it.each(["throw new AppError('Nobody is there');", 'console.error(`Somebody holds ${file}`);'])(
    'reports the sentence of %s',
    (source) => {
      expect(adviceOn('a.ts', source)).toHaveLength(1);
    },
  );

  it('does not check other strings', () => {
    expect(adviceOn('a.ts', "send('nobody'); const text = 'everybody';")).toEqual([]);
  });
});

describe('prose in documents', () => {
  it('reports a line of more than 100 characters', () => {
    expect(adviceOn('a.md', 'word '.repeat(21))).toEqual(['wrap at 100 characters']);
  });

  it('accepts rows of tables, blocks of code and long links', () => {
    const words = 'word '.repeat(30);
    expect(adviceOn('a.md', `| ${words} |\n\n\`\`\`\n${words} nobody\n\`\`\`\n`)).toEqual([]);
    expect(adviceOn('a.md', `[link](https://example.com/${'a'.repeat(120)})`)).toEqual([]);
  });
});
