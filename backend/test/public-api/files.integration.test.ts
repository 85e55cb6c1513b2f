import Anthropic from '@anthropic-ai/sdk';
import { LIMITS } from '@tanya/contract';
import { type PdfPage, pdfOf } from '../files/scanned-pdf.js';
import { PNG } from '../harness/uploads.js';
import { type Caller, errorIn, type PublicApiHarness, startPublicApiHarness } from './public-api-harness.js';

/** Drawing processes take long on a busy machine. */
const TEST_TIMEOUT_MS = 90_000;

const SEES = 'scripted/eyes';
const READS = 'scripted/blind';

let harness: PublicApiHarness;
let caller: Caller;

beforeAll(async () => {
  harness = await startPublicApiHarness({ redis: false });
  const admin = await harness.admin();
  for (const [modelId, inputModalities] of [
    [SEES, ['text', 'image']],
    [READS, ['text']],
  ]) {
    const fields = { modelId, name: modelId, provider: 'scripted', inputModalities, isApiEnabled: true };
    expect((await admin.post('/api/admin/models', fields)).status).toBe(201);
  }
  caller = await harness.caller();
});

afterEach(() => harness.settle());

afterAll(() => harness.close());

type Part = { type: string; text?: string; image_url?: { url: string } };

/** The content that the model has read last, pictures as `<picture>`. */
function read(): string {
  const { messages } = harness.upstream.callsOf().at(-1)!.body as { messages: { content: string | Part[] }[] };
  const { content } = messages.at(-1)!;
  if (typeof content === 'string') return content;
  return content.map(({ text, image_url: image }) => text ?? `<${image!.url.slice(5, 15)}>`).join('|');
}

const PAGES: PdfPage[] = [{ text: 'Invoice number 4711 of the harbour company in Surabaya, paid.' }, { scan: 0.5 }];
const base64 = (file: Buffer | string) => Buffer.from(file).toString('base64');
const PDF = base64(pdfOf(PAGES));
const DATA_URL = `data:application/pdf;base64,${PDF}`;

const QUOTED =
  'Attached document "invoice.pdf":\n"""\n[page 1]\nInvoice number 4711 of the harbour company in Surabaya, paid.\n\n[page 2]';
const WITH_PICTURE = `Read|${QUOTED}|<image/jpeg>|\n"""`;

const chat = (file: object, more: object = {}) =>
  harness.post(caller.key, {
    model: SEES,
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Read' },
          { type: 'file', file },
        ],
      },
    ],
    ...more,
  });

describe('a file in a request', () => {
  it('may have line ends in its base64, as commands and mail programs write it', async () => {
    const lines = PDF.replace(/.{1,76}/g, '$&\r\n');
    for (const file_data of [`${lines}\n`, `data:application/pdf;base64,${lines}`]) {
      expect((await chat({ filename: 'invoice.pdf', file_data })).status).toBe(200);
      expect(read()).toBe(WITH_PICTURE);
    }
    expect((await chat({ filename: 'invoice.pdf', file_data: `${lines}?` })).status).toBe(400);
  }, 90_000);

  it(
    'is read with its sections and pages as pictures, in all three forms',
    async () => {
      const file = { type: 'file', file: { filename: 'invoice.pdf', file_data: DATA_URL } } as const;
      await caller.openai.chat.completions.create({
        model: SEES,
        messages: [{ role: 'user', content: [{ type: 'text', text: 'Read' }, file] }],
      });
      expect(read()).toBe(WITH_PICTURE);
      await caller.openai.responses.create({
        model: SEES,
        input: [
          {
            role: 'user',
            content: [
              { type: 'input_text', text: 'Read' },
              { type: 'input_file', filename: 'invoice.pdf', file_data: DATA_URL },
            ],
          },
        ],
      });
      expect(read()).toBe(WITH_PICTURE);
      const anthropic = new Anthropic({ apiKey: caller.key, baseURL: `${harness.url}/api`, maxRetries: 0 });
      const source = { type: 'base64', media_type: 'application/pdf', data: PDF } as const;
      const content: Anthropic.ContentBlockParam[] = [
        { type: 'text', text: 'Read' },
        { type: 'document', title: 'invoice.pdf', source },
      ];
      const messages: Anthropic.MessageParam[] = [{ role: 'user', content }];
      await anthropic.messages.create({ model: SEES, max_tokens: 100, messages });
      expect(read()).toBe(WITH_PICTURE);
      const { input_tokens: tokens } = await anthropic.messages.countTokens({ model: SEES, messages });
      expect(tokens).toBeGreaterThan(1_100);
    },
    TEST_TIMEOUT_MS,
  );

  it('is read as text for a model without images, from base64 alone too', async () => {
    expect((await chat({ filename: 'invoice.pdf', file_data: PDF }, { model: READS })).status).toBe(200);
    expect(read()).toBe(`Read|${QUOTED}\n(This page has no text.)\n\n(1 page without text is not read.)\n"""`);
  });

  it('is read when its response is continued', async () => {
    const first = await caller.openai.responses.create({
      model: READS,
      input: [{ role: 'user', content: [{ type: 'input_file', filename: 'invoice.pdf', file_data: DATA_URL }] }],
    });
    await caller.openai.responses.create({ model: SEES, input: 'And now?', previous_response_id: first.id });
    const { messages } = harness.upstream.callsOf().at(-1)!.body as { messages: { content: Part[] }[] };
    expect(messages[0]!.content.map(({ type }) => type)).toEqual(['text', 'image_url', 'text']);
  });

  it('of text or of a document in a result of a tool is quoted', async () => {
    const anthropic = new Anthropic({ apiKey: caller.key, baseURL: `${harness.url}/api`, maxRetries: 0 });
    const text: Anthropic.DocumentBlockParam = {
      type: 'document',
      title: 'Notes',
      context: 'Of Monday',
      source: { type: 'text', media_type: 'text/plain', data: 'one\ntwo' },
    };
    await anthropic.messages.create({ model: READS, max_tokens: 10, messages: [{ role: 'user', content: [text] }] });
    expect(read()).toBe('Of Monday|Attached document "Notes":\n"""\none\ntwo\n"""');
    const source = { type: 'base64', media_type: 'application/pdf', data: PDF } as const;
    const messages: Anthropic.MessageParam[] = [
      { role: 'user', content: 'Fetch it' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'fetch', input: {} }] },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 'a', content: [{ type: 'document', source }] }],
      },
    ];
    await anthropic.messages.create({ model: READS, max_tokens: 10, messages });
    expect(read()).toContain('Attached document "document.pdf":\n"""\n[page 1]\nInvoice number 4711');
  });

  it('says in its text what could not be read', async () => {
    expect((await chat({ filename: 'a.bin', file_data: base64(Buffer.from('MZ\x90\0', 'latin1')) })).status).toBe(200);
    expect(read()).toMatch(/^Read\|Attached document "a\.bin":\n"""\n\(The model cannot read this type of file: .*\)/);
    expect((await chat({ filename: 'a.pdf', file_data: base64(pdfOf(['blank'])) })).status).toBe(200);
    expect(read()).toContain('(No text was found in this document. Is it a scan?)');
  });

  it('that is an image is sent as one', async () => {
    expect((await chat({ filename: 'a.png', file_data: base64(PNG) })).status).toBe(200);
    expect(read()).toBe('Read|<image/png;>');
  });

  it('costs one message, leaves nothing behind, and counts before it is read', async () => {
    const before = await harness.usedBy(caller);
    await chat({ filename: 'invoice.pdf', file_data: PDF });
    expect((await harness.usedBy(caller)) - before).toBe(1);
    const [{ files }] = await harness.dataSource.query<[{ files: number }]>('select count(*)::int as files from file');
    expect(files).toBe(0);
  });

  it.each([
    ['file_id', { file_id: 'file-1' }, 400, 'file_id is not supported. Please send file_data.'],
    ['file_url', { file_url: 'https://example.org/a.pdf' }, 400, 'file_url is not supported. Please send file_data.'],
    ['no data', { filename: 'a.pdf' }, 400, 'A file needs file_data in base64'],
    ['other text', { file_data: 'not base64!' }, 400, 'file_data must be base64 or a data URL in base64'],
    ['no bytes', { file_data: 'data:application/pdf;base64,' }, 400, expect.stringContaining('empty')],
    ['a recording', { filename: 'a.mp3', file_data: base64('ID3\x03\0\0\0\0\0\0') }, 415, expect.any(String)],
    ['too much', { file_data: base64(Buffer.alloc(LIMITS.documentBytes + 3)) }, 413, expect.stringContaining('10 MB')],
  ])('with %s is refused by name', async (_name, file, status, message) => {
    const answer = await chat(file);
    expect([answer.status, errorIn(answer.body)]).toEqual([
      status,
      expect.objectContaining({ message, param: 'messages.0.content' }),
    ]);
  });

  it('is refused beyond 20 of them, and outside of messages of the user', async () => {
    const part = { type: 'file', file: { filename: 'a.txt', file_data: base64('hello') } };
    const many = Array.from({ length: 21 }, () => part);
    const answer = await harness.post(caller.key, { model: READS, messages: [{ role: 'user', content: many }] });
    expect(errorIn(answer.body).message).toBe('A request must have at most 20 files');
    const messages: unknown[] = [
      { role: 'system', content: [part] },
      { role: 'user', content: 'x' },
    ];
    const system = await harness.post(caller.key, { model: READS, messages });
    expect(errorIn(system.body).message).toBe('Only messages of the role user may have files');
    const input = [{ role: 'user', content: [{ type: 'input_file', file_id: 'file-1' }] }];
    const response = await harness.post(caller.key, { model: READS, input }, {}, '/api/v1/responses');
    expect(errorIn(response.body)).toMatchObject({ param: 'input.0.content.0.file_id' });
    const unreadable = { role: 'user', content: [{ type: 'input_file', file_data: '##' }] };
    const items = [{ type: 'reasoning', id: 'rs_1', summary: [] }, unreadable];
    const second = await harness.post(caller.key, { model: READS, input: items }, {}, '/api/v1/responses');
    expect(errorIn(second.body)).toMatchObject({ param: 'input.1' });
  });
});
