import { type Message, type MessageNotice, parseContent } from '@tanya/contract';
import sharp from 'sharp';
import { FileSweep } from '../../src/files/file-sweep.js';
import { changeUser, moneyIn } from '../quota/budget-harness.js';
import { setPrices } from '../quota/usage-harness.js';
import { type ChatHarness, type MemberPage, startChatHarness } from '../harness/chat-harness.js';
import { encryptedPdf, type PdfPage, pdfOf } from './scanned-pdf.js';
import { filesOnDisk, upload } from '../harness/uploads.js';
import { messagesOf, share } from '../shares/shares-harness.js';

/** Drawing processes take long on a busy machine. */
const TEST_TIMEOUT_MS = 90_000;

const SEES = 'scripted/eyes';
const READS = 'scripted/small';

let harness: ChatHarness;
let member: MemberPage;

beforeAll(async () => {
  harness = await startChatHarness({ redis: false, timings: { orphanFile: 0 } });
  const admin = await harness.admin();
  for (const [modelId, inputModalities] of [
    [SEES, ['text', 'image']],
    [READS, null],
  ]) {
    const fields = { modelId, name: modelId, provider: 'scripted', inputModalities };
    expect((await admin.post('/api/admin/models', fields)).status).toBe(201);
  }
});

beforeEach(async () => {
  member = await harness.memberPage();
});

afterAll(() => harness.close());

const scans = (count: number): PdfPage[] => Array.from({ length: count }, (_, index) => ({ scan: (index + 1) / 30 }));

const MIXED: PdfPage[] = [
  { text: 'The first page has enough words to be read as what it is.' },
  { scan: 0.5 },
  'blank',
];

interface Part {
  type: string;
  text?: string;
  image_url?: { url: string };
}

/** The parts of each message of the user that the model has read last. */
const prompts = (): (string | Part[])[] => {
  const { messages } = harness.upstream.callsOf().at(-1)!.body as {
    messages: { role: string; content: string | Part[] }[];
  };
  return messages.filter(({ role }) => role === 'user').map(({ content }) => content);
};

const picturesIn = (content: string | Part[] | undefined): string[] =>
  typeof content === 'string' ? [] : (content ?? []).flatMap(({ image_url: image }) => image?.url ?? []);

const textIn = (content: string | Part[] | undefined): string =>
  typeof content === 'string' ? content : (content ?? []).map(({ text }) => text ?? '<picture>').join('');

const stored = async (pages: PdfPage[], name = 'scan.pdf') => {
  const { status, body } = await upload(member.client, pdfOf(pages), name, 'application/pdf');
  expect(status).toBe(201);
  return body;
};

interface Asked {
  threadId: number;
  message: Message;
  notices: MessageNotice[];
}

async function ask(model: string, fields: { fileIds?: string[]; threadId?: number } = {}): Promise<Asked> {
  const attachments = fields.fileIds?.map((fileId) => ({ fileId }));
  const { generationId, threadId } = await member.page.start('What is on it?', {
    model,
    threadId: fields.threadId ?? null,
    content: { text: 'What is on it?', ...(attachments && { attachments }) },
  });
  const { message } = await member.page.ended(generationId);
  return { threadId, message, notices: message.notices ?? [] };
}

const rowOf = async (id: string) => {
  const columns = 'pictures, pictures_id, picture_bytes, reader_version';
  const [row] = await harness.dataSource.query<
    { pictures: number; pictures_id: string | null; picture_bytes: number; reader_version: number }[]
  >(`select ${columns} from file where id = $1`, [id]);
  return row!;
};

describe('a page of a PDF without text', () => {
  it(
    'is sent as a picture, below its name, to a model that takes images, also in later turns',
    async () => {
      const file = await stored(MIXED);
      expect(file).toMatchObject({
        pages: 3,
        pictures: 1,
        notices: [{ code: 'pages_as_pictures', params: { count: 1 } }],
        notice: '1 page without text is sent as a picture to models that read images.',
      });
      const { threadId, notices, message } = await ask(SEES, { fileIds: [file.id] });
      expect(notices).toEqual([]);
      const [content] = prompts();
      expect(textIn(content)).toMatch(/\[page 1\]\nThe first page .*\n\n\[page 2\]<picture>\n"""$/s);
      const [picture] = picturesIn(content);
      const { format, width, height } = await sharp(Buffer.from(picture!.split(',')[1]!, 'base64')).metadata();
      expect([format, width, height]).toEqual(['jpeg', 1131, 1600]);
      await ask(SEES, { threadId });
      expect(prompts().map((each) => picturesIn(each).length)).toEqual([1, 0]);
      await member.page.ended((await startedAgain(message)).generationId);
      expect(prompts().map((each) => picturesIn(each).length)).toEqual([1]);
    },
    TEST_TIMEOUT_MS,
  );

  const startedAgain = async ({ id }: Message) => {
    const ack = await member.page.tryRegenerate(id);
    if (!('data' in ack)) throw new Error(JSON.stringify(ack));
    return ack.data;
  };

  it('is named to a model without images, whose answer has a notice, and seen after a change of the model', async () => {
    const { id } = await stored(MIXED);
    const { threadId, notices } = await ask(READS, { fileIds: [id] });
    expect(notices).toEqual([{ code: 'pages_without_text', params: { count: 1 } }]);
    expect(prompts()[0]).toEqual(expect.stringContaining('[page 2]\n(This page has no text.)'));
    expect((await ask(SEES, { threadId })).notices).toEqual([]);
    expect(prompts().map((each) => picturesIn(each).length)).toEqual([1, 0]);
    expect((await ask(READS, { threadId })).notices).toEqual([{ code: 'pages_without_text', params: { count: 1 } }]);
    expect(prompts().flatMap(picturesIn)).toEqual([]);
  });

  it('is one of at most 20 of a document and of a message, the first ones', async () => {
    const file = await stored(scans(25));
    expect(file).toMatchObject({ pages: 25, pictures: 20 });
    expect(file.notices).toEqual([
      { code: 'pages_as_pictures', params: { count: 20 } },
      { code: 'pages_unread', params: { count: 5 } },
    ]);
    const other = await stored(scans(3), 'other.pdf');
    const { notices } = await ask(SEES, { fileIds: [file.id, other.id] });
    expect(notices).toEqual([{ code: 'pages_left_out', params: { count: 8 } }]);
    const [content] = prompts();
    expect(new Set(picturesIn(content)).size).toBe(20);
    expect(textIn(content)).toMatch(
      /\[page 20\]<picture>\n\n\[page 21\] to \[page 25\]\n\(These 5 pages have no text\.\)/,
    );
    expect(textIn(content)).toMatch(/"other\.pdf":\n"""\n\[page 1\] to \[page 3\]\n/);
  });

  it('is left out when it is blank, as an empty page or as a scan', async () => {
    const file = await stored(['blank', 'white scan', { scan: 0.3 }]);
    expect(file).toMatchObject({ pages: 3, pictures: 1 });
    await ask(SEES, { fileIds: [file.id] });
    expect(textIn(prompts()[0])).toContain('"""\n[page 3]<picture>\n"""');
    const empty = await stored(['blank', 'white scan']);
    expect(empty).not.toHaveProperty('pictures');
    expect(empty.notices).toEqual([{ code: 'no_text_scan' }]);
    expect((await ask(SEES, { fileIds: [empty.id] })).notices).toEqual([]);
  });

  it('of a protected document is not drawn', async () => {
    const { body } = await upload(member.client, encryptedPdf(), 'secret.pdf', 'application/pdf');
    expect(body).not.toHaveProperty('pictures');
    expect(body.notices).toEqual([{ code: 'document_protected' }]);
  });

  it('costs no message, and its tokens are held', async () => {
    const file = await stored(scans(20));
    await setPrices(harness, { prompt: '0.000001', completion: '0' }, SEES);
    await changeUser(harness, member.user.id, { budgetUsd: '1' });
    const used = async () => (await member.client.get<{ used: number }>('/api/user/quota')).body.used;
    const before = await used();
    const release = harness.upstream.hold({ steps: [{ text: 'ok' }, { finish: 'stop' }, { done: true }] });
    const attachments = [{ fileId: file.id }];
    const { generationId } = await member.page.start('Read', { model: SEES, content: { text: 'Read', attachments } });
    const held = Number((await moneyIn(harness, `user:${member.user.id}`)).heldUsd);
    expect(held).toBeGreaterThan(0.02);
    release();
    await member.page.ended(generationId);
    expect((await used()) - before).toBe(1);
  });
});

describe('the pictures of a document', () => {
  it('are counted as stored, and deleted with it', async () => {
    const { id } = await stored(scans(2));
    const { pictures_id: picturesId, picture_bytes: bytes } = await rowOf(id);
    expect(bytes).toBeGreaterThan(1_000);
    expect(await filesOnDisk(harness)).toContain(picturesId);
    const { threadId } = await ask(SEES, { fileIds: [id] });
    await harness.app.get(FileSweep).sweep();
    expect(await filesOnDisk(harness)).toContain(picturesId);
    await member.client.delete(`/api/chat/threads/${threadId}`);
    await member.client.delete(`/api/chat/trash/${threadId}`);
    await member.client.delete('/api/user', { password: 'a quiet harbour at dawn' });
    const left = await filesOnDisk(harness);
    expect([left.includes(id), left.includes(picturesId!)]).toEqual([false, false]);
  });

  it('are deleted by the sweep when no row has them', async () => {
    const { id } = await stored(scans(1));
    const { pictures_id: picturesId } = await rowOf(id);
    await ask(SEES, { fileIds: [id] });
    await harness.dataSource.query('update file set pictures_id = null where id = $1', [id]);
    await harness.app.get(FileSweep).sweep();
    const left = await filesOnDisk(harness);
    expect([left.includes(id), left.includes(picturesId!)]).toEqual([true, false]);
  });

  it('are drawn at the first use of a file that was stored before', async () => {
    const { id } = await stored(MIXED);
    const { pictures_id: earlier } = await rowOf(id);
    await harness.dataSource.query('update file set reader_version = 1 where id = $1', [id]);
    await ask(SEES, { fileIds: [id] });
    expect(picturesIn(prompts()[0])).toHaveLength(1);
    const { pictures_id: picturesId, pictures } = await rowOf(id);
    expect([picturesId === earlier, pictures]).toEqual([false, 1]);
    expect(await filesOnDisk(harness)).not.toContain(earlier);
  });

  it('are drawn again for a copy of the conversation', async () => {
    const { id } = await stored(MIXED);
    const { threadId } = await ask(SEES, { fileIds: [id] });
    const { token } = await share(member.client, threadId);
    member = await harness.memberPage();
    const copy = await member.client.post<{ threadId: number }>(`/api/share/${token}/continue`);
    const messages = await messagesOf(member.client, copy.body.threadId);
    const [sent] = parseContent(messages[0]!.content).attachments!;
    expect(sent).toMatchObject({ pages: 3, pictures: 1 });
    await ask(SEES, { threadId: copy.body.threadId });
    expect(prompts().map((each) => picturesIn(each).length)).toEqual([1, 0]);
  });
});

describe('an export', () => {
  it('has the sections of documents with their labels', async () => {
    const { id } = await stored(MIXED);
    const sheet = (await upload(member.client, 'nama;harga\nKopi;5', 'a.csv', 'text/csv')).body;
    const { threadId } = await ask(SEES, { fileIds: [id, sheet.id] });
    const { text: markdown } = await member.client.get(`/api/chat/threads/${threadId}/export?format=md`);
    expect(markdown).toContain('_Attachment: scan.pdf (3 pages, 1 as a picture)_\n\n_Attachment: a.csv_\n');
    const pages = [
      { kind: 'page', label: 'page 1', text: 'The first page has enough words to be read as what it is.' },
      { kind: 'page', label: 'page 2', text: '' },
    ];
    const json = await member.client.get<{ files: object[] }>(`/api/chat/threads/${threadId}/export?format=json`);
    const exported = expect.arrayContaining([
      expect.objectContaining({ id, name: 'scan.pdf', pages: 3, pictures: 1, sections: pages }),
      expect.objectContaining({ id: sheet.id, sections: [{ kind: 'part', label: '', text: 'nama;harga\nKopi;5' }] }),
    ]);
    expect(json.body.files).toEqual(exported);
    const account = await member.client.get<{ files: object[] }>('/api/user/export');
    expect(account.body.files).toEqual(exported);
  });
});
