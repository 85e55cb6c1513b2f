import { buffer } from 'node:stream/consumers';
import type { Readable } from 'node:stream';
import type { ErrorBody, ImportedConversation, ImportStarted, ImportStatus, Message, Thread } from '@tanya/contract';
import { ZipFile } from 'yazl';
import type { Answer, HttpClient } from '../harness/http-client.js';
import { waitUntil } from '../harness/wait-until.js';

/** A ZIP archive with these entries. */
export async function zipOf(entries: Record<string, Buffer | string>, forceZip64Format = false): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(entries)) zip.addBuffer(Buffer.from(content), name);
  zip.end({ forceZip64Format, comment: '' });
  return buffer(zip.outputStream as Readable);
}

export function upload(client: HttpClient, content: Buffer | string): Promise<Answer<ImportStarted & ErrorBody>> {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(Buffer.from(content))]), 'export.zip');
  return client.send('POST', '/api/user/import', { raw: form });
}

export const statusOf = async (client: HttpClient, id: string): Promise<ImportStatus> =>
  (await client.get<ImportStatus>(`/api/user/import/${id}`)).body;

/** The last id of a message; it grows within the transaction that imports a conversation. */
export const LAST_MESSAGE = 'select last_value::int as id from message_id_seq';

/**
 * Uploads an export and waits for the end of its import.
 * @param progress grows within a conversation of many messages
 */
export async function importFile(
  client: HttpClient,
  content: Buffer | string,
  progress?: () => Promise<number>,
): Promise<ImportStatus> {
  const started = await upload(client, content);
  expect(started.status).toBe(202);
  return ended(client, started.body.id, progress);
}

export const importJson = (client: HttpClient, value: unknown): Promise<ImportStatus> =>
  importFile(client, JSON.stringify(value));

export async function ended(client: HttpClient, id: string, progress?: () => Promise<number>): Promise<ImportStatus> {
  let status = await statusOf(client, id);
  const isEnded = async (): Promise<boolean> => {
    status = await statusOf(client, id);
    return status.state !== 'running';
  };
  await waitUntil('the end of the import', isEnded, progress ?? (() => status.imported));
  return status;
}

export const reportOf = async (client: HttpClient, id: string, query = '') =>
  (await client.get<ImportedConversation[]>(`/api/user/import/${id}/conversations${query}`)).body;

export const threadsOf = async (client: HttpClient) => (await client.get<Thread[]>('/api/chat/threads')).body;

export const messagesOf = async (client: HttpClient, threadId: number) =>
  (await client.get<Message[]>(`/api/chat/threads/${threadId}/messages`)).body;
