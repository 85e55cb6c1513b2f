import { createHash } from 'node:crypto';
import type { DataExport, DataExportStarted } from '@tanya/contract';
import sharp from 'sharp';
import type { MemberPage } from '../harness/chat-harness.js';
import type { HttpClient } from '../harness/http-client.js';
import { PASSWORD } from '../harness/test-app.js';
import { download, upload } from '../harness/uploads.js';
import { waitUntil } from '../harness/wait-until.js';

export const startExport = (client: HttpClient, password = PASSWORD) =>
  client.post<DataExportStarted>('/api/user/export', { password });

export const exportStatus = async (client: HttpClient, id: string) =>
  (await client.get<DataExport>(`/api/user/export/${id}`)).body;

/** Exports everything of the member. @returns the archive */
export async function exported(client: HttpClient): Promise<Buffer> {
  const { body, status: code } = await startExport(client);
  expect(code).toBe(202);
  let status = await exportStatus(client, body.id);
  const isEnded = async () => {
    status = await exportStatus(client, body.id);
    return status.state !== 'running';
  };
  await waitUntil('the end of the export', isEnded, () => status.bytes);
  expect(status.state).toBe('done');
  const file = await download(client, `/api/user/export/${body.id}/file`);
  expect(file.headers.get('content-type')).toBe('application/zip');
  expect((await exportStatus(client, body.id)).bytes).toBe(file.bytes.length);
  return file.bytes;
}

export const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** A chat with two versions of an answer, a picture and a document. */
export async function conversation({
  client,
  page,
}: MemberPage): Promise<{ threadId: number; files: { url: string; bytes: Buffer }[] }> {
  const raw = { width: 40, height: 30, channels: 3, background: '#a06040' } as const;
  const photo = await sharp({ create: raw })
    .withExif({ IFD0: { Copyright: 'Sari' } })
    .jpeg()
    .toBuffer();
  const { body: picture } = await upload(client, photo, 'harbour.jpg', 'image/jpeg');
  const { body: text } = await upload(client, 'Notes of a harbour', 'notes.md', 'text/markdown');
  const attachments = [picture, text].map(({ id }) => ({ fileId: id }));
  const first = await page.start('What is this?', { content: { text: 'What is this?', attachments } });
  await page.ended(first.generationId);
  const again = await page.tryRegenerate(first.aiMessage.id);
  if (!again.ok) throw new Error('not regenerated');
  await page.ended(again.data.generationId);
  const { threadId } = first;
  await client.patch(`/api/chat/threads/${threadId}`, { title: 'The “old” harbour', isPinned: true });
  await client.patch(`/api/chat/threads/${threadId}`, { activeLeafId: first.aiMessage.id });
  const files = [];
  for (const { url } of [picture, text]) files.push({ url, bytes: (await download(client, url)).bytes });
  return { threadId, files };
}
