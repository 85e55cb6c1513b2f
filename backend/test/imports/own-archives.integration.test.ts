import { randomUUID } from 'node:crypto';
import { LIMITS, type Message, parseContent, type Thread } from '@tanya/contract';
import { FilesService } from '../../src/files/files.service.js';
import { AppError } from '../../src/platform/errors/app-error.js';
import { pdfOf } from '../files/scanned-pdf.js';
import { download, fileRowCount, PNG } from '../harness/uploads.js';
import { importFile, messagesOf, reportOf, threadsOf, zipOf } from './imports-harness.js';
import { member, server } from './imports-server.js';

const PROMPT = 'A harbour in the evening. the light is warm';

const addressOf = (id: string): string => `/api/files/${id}`;

/** A thread of this product: a question with attachments, and an answer with pictures that a tool has drawn. */
function ownThread(attached: string[], drawn: string[]): string {
  const at = '2026-01-01T00:00:00.000Z';
  const attachments = attached.map((id) => ({ url: addressOf(id), name: 'a', type: '' }));
  const parts = [
    { type: 'text', text: 'Here.' },
    ...drawn.map((id) => ({ type: 'image', url: addressOf(id), alt: PROMPT })),
  ];
  const messages = [
    { id: 1, parentId: null, content: JSON.stringify({ text: 'draw', attachments }), isUserMessage: true },
    { id: 2, parentId: 1, content: 'Here.', isUserMessage: false, parts },
  ];
  const thread = { id: 1, title: 'Drawn', activeLeafId: 2 };
  return JSON.stringify({
    threads: [thread],
    messages: messages.map((message) => ({ ...message, threadId: 1, createdAt: at })),
  });
}

const imageUrls = ({ parts }: Message): string[] =>
  (parts ?? []).flatMap((part) => (part.type === 'image' ? [part.url] : []));

const attachmentsOf = ({ content }: Message) => parseContent(content).attachments!;

it.each(['', 'tanya-export-2026-11-30/'])('brings pictures and documents in the folder “%s”', async (folder) => {
  const client = await member();
  const [small, large, pdf, oversized] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
  const picture = Buffer.concat([PNG, Buffer.alloc(LIMITS.documentBytes)]);
  const archive = await zipOf({
    [`${folder}manifest.json`]: '{}',
    [`${folder}threads/1.json`]: ownThread([pdf, oversized], [small, large]),
    [`${folder}files/${small}.png`]: PNG,
    [`${folder}files/${large}.png`]: picture,
    [`${folder}files/${pdf}.pdf`]: pdfOf([{ text: 'One' }, { text: 'Two' }, { scan: 0.5 }]),
    [`${folder}files/${oversized}.txt`]: Buffer.alloc(LIMITS.documentBytes + 1, 'x'),
  });
  const status = await importFile(client, archive);
  expect(await reportOf(client, status.id)).toMatchObject([
    { outcome: 'imported', remark: { code: 'files_left_out', params: { count: 1 } } },
  ]);
  const [thread] = (await threadsOf(client)) as [Thread];
  const [question, answer] = (await messagesOf(client, thread.id)) as [Message, Message];
  expect(attachmentsOf(question)).toMatchObject([{ type: 'application/pdf', pages: 3, pictures: 1 }]);
  expect(answer.parts).toMatchObject([{ type: 'text' }, { alt: PROMPT }, { alt: PROMPT }]);
  const sizes = [];
  for (const url of imageUrls(answer)) sizes.push((await download(client, url)).bytes.length);
  expect(sizes).toEqual([PNG.length, picture.length]);
});

it('waits for busy readers, and leaves out a picture that cannot be checked', async () => {
  const client = await member();
  const [first, second] = [randomUUID(), randomUUID()];
  const accept = jest.spyOn(server.app.get(FilesService), 'acceptStaged');
  accept.mockRejectedValueOnce(new AppError('rate_limited', { retryAfter: 0 }));
  const archive = {
    'threads/1.json': ownThread([], [first, second]),
    [`files/${first}.png`]: PNG,
    [`files/${second}.png`]: PNG,
  };
  expect(await importFile(client, await zipOf(archive))).toMatchObject({ state: 'done', imported: 1 });
  const [thread] = (await threadsOf(client)) as [Thread];
  const [, answer] = (await messagesOf(client, thread.id)) as [Message, Message];
  expect(imageUrls(answer)).toHaveLength(2);

  accept.mockRejectedValueOnce(new AppError('internal', { reason: 'image' }));
  const other = await member();
  const { id } = await importFile(other, await zipOf(archive));
  expect(await reportOf(other, id)).toMatchObject([
    { outcome: 'imported', remark: { code: 'files_left_out', params: { count: 1 } } },
  ]);
  accept.mockRestore();
});

it('keeps no file of a conversation whose files could not all be stored', async () => {
  const client = await member();
  const before = await fileRowCount(server);
  const files = server.app.get(FilesService);
  const acceptStaged = files.acceptStaged.bind(files);
  const accept = jest.spyOn(files, 'acceptStaged').mockImplementation((path, ...claim) => {
    return accept.mock.calls.length < 2 ? acceptStaged(path, ...claim) : Promise.reject(new Error('ENOSPC'));
  });
  const [first, second] = [randomUUID(), randomUUID()];
  const status = await importFile(
    client,
    await zipOf({
      'threads/1.json': ownThread([], [first, second]),
      [`files/${first}.png`]: PNG,
      [`files/${second}.png`]: PNG,
    }),
  );
  accept.mockRestore();
  expect(status).toMatchObject({ state: 'failed', errorRemark: { code: 'server_failed' } });
  expect(await fileRowCount(server)).toBe(before);
});
