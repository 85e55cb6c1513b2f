import type { Message, Thread } from '@tanya/contract';
import { exportName, jsonExport, markdownExport } from './thread-export.js';

const message = (change: Partial<Message>): Message => ({
  id: 1,
  threadId: 1,
  parentId: null,
  content: '',
  isUserMessage: false,
  createdAt: '2026-11-22T04:57:31.000Z',
  status: 'complete',
  modelId: 'openai/gpt-4o-mini',
  reasoning: null,
  generationId: null,
  error: null,
  notice: null,
  siblingIds: [1],
  ...change,
});

async function* eachAlone(messages: Message[]): AsyncGenerator<Message[]> {
  for (const one of messages) yield [one];
}

async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}

const OUTLINES = new Map([['2', '12 pages, 3 as pictures']]);

const toMarkdown = (title: string, messages: Message[]) =>
  textOf(markdownExport(title, eachAlone(messages), { outlines: async () => OUTLINES }));

const question = (content: string) => message({ content, isUserMessage: true, modelId: null });

describe('the Markdown of a conversation', () => {
  it('has the date of every message and the model of every answer', async () => {
    expect(await toMarkdown('Rainbows', [question('How?'), message({ content: 'By **light**.' })])).toBe(
      [
        '# Rainbows',
        '## You',
        '_2026-11-22 04:57 UTC_',
        'How?',
        '## AI',
        '_2026-11-22 04:57 UTC · openai/gpt-4o-mini_',
        'By **light**.\n',
      ].join('\n\n'),
    );
  });

  it('has no heading for a failed answer without text, but its reason', async () => {
    const error = { code: 'provider_error', message: 'The provider is not available.', retryable: true } as const;
    const text = await toMarkdown('Failed', [question('How?'), message({ status: 'error', error })]);
    expect(text).not.toContain('## AI');
    expect(text).toContain('How?\n\n_The answer failed: The provider is not available._\n');
  });

  it('keeps the text of a stopped answer and marks it', async () => {
    const text = await toMarkdown('Stopped', [message({ status: 'stopped', content: 'It began' })]);
    expect(text).toMatch(/## AI\n\n.*\n\nIt began\n\n_The answer was stopped._\n$/);
  });

  it('has nothing for an answer that has not begun', async () => {
    expect(await toMarkdown('Running', [message({ status: 'streaming' })])).toBe('# Running\n');
  });

  it('names attachments and images', async () => {
    const content = JSON.stringify({ text: 'See', fileUrl: '/f', fileName: 'a.pdf', imageData: '/i' });
    expect(await toMarkdown('Files', [question(content)])).toContain('_Attachment: a.pdf_\n\n_Image_\n\nSee');
  });

  it('has the tools and sources of an answer, without Markdown of another site', async () => {
    const call = {
      type: 'tool',
      callId: 'a',
      tool: 's',
      title: 'Search',
      args: {},
      state: 'done',
      result: 'long',
    } as const;
    const parts = [
      call,
      { ...call, state: 'failed' as const },
      { type: 'source', index: 1, url: 'https://example.org', title: 'A [link](javascript:1)\nnext' } as const,
      { type: 'text', text: 'So [1].' } as const,
    ];
    const text = await toMarkdown('Search', [question('Which?'), message({ content: 'So [1].', parts })]);
    expect(text.split('\n\n').slice(-5)).toEqual([
      '_Used Search_',
      '_Used Search_ (failed)',
      'So [1].',
      'Sources:',
      '- [1] <https://example.org> A \\[link\\](javascript:1) next\n',
    ]);
  });

  it('has an answer that is a picture alone, once', async () => {
    const image = { type: 'image', url: '/api/files/1', alt: '' } as const;
    const content = JSON.stringify({ text: '', imageUrl: image.url, type: 'image_generation' });
    const answer = '## AI\n\n_2026-11-22 04:57 UTC · openai/gpt-4o-mini_\n\n_Image_\n';
    for (const drawn of [message({ parts: [image] }), message({ content, parts: [image] }), message({ content })])
      expect(await toMarkdown('Picture', [drawn])).toBe(`# Picture\n\n${answer}`);
  });

  it('names every attachment in order', async () => {
    const attachment = (fileId: string, name: string, type: string) => ({
      fileId,
      url: `/api/files/${fileId}`,
      name,
      type,
      size: 1,
    });
    const attachments = [attachment('1', 'a.png', 'image/png'), attachment('2', 'b.pdf', 'application/pdf')];
    const content = JSON.stringify({ text: 'See', imageData: '/api/files/1', attachments });
    const line = '_Attachment: b.pdf (12 pages, 3 as pictures)_';
    expect(await toMarkdown('Files', [question(content)])).toContain(`_Image: a.png_\n\n${line}\n\nSee`);
  });
});

it.each([[0], [1], [3]])('is JSON with %i messages in slices', async (count) => {
  const messages = Array.from({ length: count }, (_, at) => question(`Question ${at}`));
  const times = { createdAt: '2026-11-22T04:57:31.000Z', updatedAt: '2026-11-22T04:57:31.000Z' };
  const thread = { id: 1, title: 'A "title"', userId: 1, modelId: null, ...times } as Thread;
  const exported = async (...files: object[]) => {
    const documents = async function* () {
      yield* files;
    };
    return JSON.parse(await textOf(jsonExport(thread, eachAlone(messages), { documents }))) as object;
  };
  const whole = { title: 'A "title"', modelId: null, ...times, messages };
  expect(await exported()).toEqual(whole);
  expect(await exported({ id: '1' }, { id: '2' })).toEqual({ ...whole, files: [{ id: '1' }, { id: '2' }] });
});

describe('the name of an export', () => {
  it.each([
    ['How are rainbows made?', 'How-are-rainbows-made.md'],
    ['…', 'chat.md'],
    ['हिन्दी किताब', 'हिन्दी-किताब.md'],
    [`${'x'.repeat(59)}𝒳𝒴`, `${'x'.repeat(59)}𝒳.md`],
  ])('of %j is valid', (title, name) => {
    expect(exportName(title, 'md')).toBe(name);
  });
});
