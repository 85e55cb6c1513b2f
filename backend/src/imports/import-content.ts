import { derivedParts, LIMITS, type MessageContent, type MessagePart, type StoredFile } from '@tanya/contract';
import { contentWithFiles } from '../files/attached-files.js';
import type { WrittenConversation, WrittenMessage } from '../chat/messages/conversation-writer.js';
import { automaticTitle, toStoredContent } from '../chat/messages/message-content.js';
import { CUT_NOTICE } from './import-texts.js';
import type { ReadConversation, ReadMessage } from './reader/reader-messages.js';

/** Content and parts of a message. */
interface Shown {
  content: MessageContent;
  parts: MessagePart[];
  /** The files that it shows. */
  files: readonly StoredFile[];
}

const kindOf = ({ type }: StoredFile) => type.split('/')[0];

function questionOf(text: string, files: readonly StoredFile[]): Shown {
  const shown = files.slice(0, LIMITS.attachments);
  const attachments = shown.map(({ id, url, name, type, size }) => ({ fileId: id, url, name, type, size }));
  return { content: contentWithFiles(text, attachments), parts: [], files: shown };
}

function answerOf(text: string, reasoning: string, files: readonly StoredFile[]): Shown {
  const images = files.filter((file) => kindOf(file) === 'image');
  const parts = [
    ...derivedParts({ text }, reasoning || null),
    ...images.map(({ url, name }): MessagePart => ({ type: 'image', url, alt: name })),
  ];
  return { content: { text }, parts, files: images };
}

/** The time of a conversation, at most now: a later one would stay on top of the list. */
const past = (time: number | null, now: Date): Date => new Date(Math.min(time ?? now.getTime(), now.getTime()));

/**
 * Makes the rows of a conversation.
 * @param files the stored files by their number in the export
 * @returns the conversation, and the files that no message shows
 */
export function toWritten(
  read: ReadConversation,
  files: ReadonlyMap<number, StoredFile>,
  now: Date,
): { conversation: WrittenConversation; surplus: StoredFile[] } {
  const shownFiles = new Set<StoredFile>();
  const times = read.messages.flatMap(({ createdAt }) => createdAt ?? []);
  const createdAt = past(read.createdAt ?? times[0] ?? null, now);
  const messages = read.messages.map((message): WrittenMessage => {
    const own = [...new Set(message.files.flatMap(({ file }) => files.get(file) ?? []))];
    const shown = message.isUserMessage
      ? questionOf(message.text, own)
      : answerOf(message.text, message.reasoning, own);
    for (const file of shown.files) shownFiles.add(file);
    return toMessage(message, shown, past(message.createdAt ?? createdAt.getTime(), now));
  });
  const question = read.messages.find(({ isUserMessage }) => isUserMessage);
  const conversation = {
    title: read.title || automaticTitle({ text: (question?.text ?? '').slice(0, LIMITS.messageText) }),
    modelId: null,
    createdAt,
    updatedAt: past(read.updatedAt ?? times.at(-1) ?? createdAt.getTime(), now),
    lifetime: null,
    isPinned: read.isPinned,
    isArchived: read.isArchived,
    messages,
    activeLeaf: read.activeLeaf,
    isShared: false,
  };
  return { conversation, surplus: [...files.values()].filter((file) => !shownFiles.has(file)) };
}

const toMessage = (message: ReadMessage, { content, parts }: Shown, createdAt: Date): WrittenMessage => ({
  parent: message.parent,
  content: toStoredContent(content),
  isUserMessage: message.isUserMessage,
  status: message.isMissing ? 'interrupted' : 'complete',
  modelId: message.model,
  reasoning: message.reasoning || null,
  parts,
  error: null,
  notice: message.isCut ? CUT_NOTICE : null,
  notices: null,
  isDemo: false,
  createdAt,
});
