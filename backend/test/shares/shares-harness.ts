import type { Message, OwnShare, Share, SharedConversation } from '@tanya/contract';
import type { HttpClient } from '../harness/http-client.js';
import type { ChatHarness } from '../harness/chat-harness.js';
import { PNG, upload } from '../harness/uploads.js';

/** A thread with an image, a document and an answer. */
export interface SharedThread {
  client: HttpClient;
  threadId: number;
  imageId: string;
  documentId: string;
}

export const QUESTION = 'What is in **this**? <img src=x onerror=alert(1)>';

/** Sends two messages with a file each, as a new member by default. */
export async function threadWithFiles(harness: ChatHarness, client?: HttpClient): Promise<SharedThread> {
  const sender = client ?? (await harness.member()).client;
  const image = (await upload(sender, PNG, 'a.png', 'image/png')).body;
  const document = (await upload(sender, 'a note of one line', 'note.txt', 'text/plain')).body;
  const first = await sender.post<{ threadId: number }>('/api/chat/message', {
    content: JSON.stringify({ text: QUESTION, imageData: image.url }),
  });
  const { threadId } = first.body;
  const content = JSON.stringify({ text: 'And this?', fileUrl: document.url, fileName: 'note.txt' });
  const second = await sender.post('/api/chat/message', { content, threadId });
  expect([first.status, second.status]).toEqual([201, 201]);
  return { client: sender, threadId, imageId: image.id, documentId: document.id };
}

export async function share(client: HttpClient, threadId: number, body: object = {}): Promise<Share> {
  const answer = await client.post<Share>(`/api/chat/threads/${threadId}/share`, body);
  expect(answer.status).toBe(201);
  return answer.body;
}

export const read = (client: HttpClient, token: string) => client.get<SharedConversation>(`/api/share/${token}`);

export const listOf = async (client: HttpClient) => (await client.get<OwnShare[]>('/api/user/shares')).body;

export const messagesOf = async (client: HttpClient, threadId: number) =>
  (await client.get<Message[]>(`/api/chat/threads/${threadId}/messages`)).body;

/** The file URLs in a message's content. */
export const fileUrlsIn = (text: string): string[] =>
  text.match(/\/api\/(?:share\/[\w-]+\/)?files\/[0-9a-f-]{36}/g) ?? [];
