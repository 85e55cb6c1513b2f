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

/** @param stored the stored file of each address in the export */
function answerOf(
  { text, reasoning, answer }: ReadMessage,
  files: readonly StoredFile[],
  stored: ReadonlyMap<string, StoredFile>,
): Shown {
  const images = files.filter((file) => kindOf(file) === 'image');
  const pictureOf = (address: string) => images.find(({ id }) => id === stored.get(address)?.id);
  const picture = answer?.picture ? pictureOf(answer.picture) : undefined;
  if (picture !== undefined) {
    const content = { type: 'image_generation', imageUrl: picture.url, text } as const;
    return { content, parts: derivedParts(content, null), files: [picture] };
  }
  if (answer?.parts) {
    const parts = answer.parts.flatMap((part): MessagePart[] => {
      if (part.type !== 'image') return [part];
      const url = pictureOf(part.url)?.url;
      return url === undefined ? [] : [{ ...part, url }];
    });
    return { content: { text }, parts, files: images };
  }
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
    const stored = new Map(
      message.files.flatMap(({ file, address = '' }) => {
        const found = files.get(file);
        return found === undefined ? [] : [[address, found] as const];
      }),
    );
    const own = [...new Set(message.files.flatMap(({ file }) => files.get(file) ?? []))];
    const shown = message.isUserMessage ? questionOf(message.text, own) : answerOf(message, own, stored);
    for (const file of shown.files) shownFiles.add(file);
    return toMessage(message, shown, past(message.createdAt ?? createdAt.getTime(), now));
  });
  const question = read.messages.find(({ isUserMessage }) => isUserMessage);
  const conversation = {
    title: read.title || automaticTitle({ text: (question?.text ?? '').slice(0, LIMITS.messageText) }),
    modelId: read.own?.modelId ?? null,
    tools: read.own?.tools ?? [],
    useInstructions: read.own?.useInstructions ?? null,
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
  status: message.answer?.status ?? (message.isMissing ? 'interrupted' : 'complete'),
  modelId: message.model,
  reasoning: message.reasoning || null,
  parts,
  error: message.answer?.error ?? null,
  notice: message.isCut ? CUT_NOTICE : (message.answer?.notice ?? null),
  notices: message.isCut ? null : (message.answer?.notices ?? null),
  isDemo: message.answer?.isDemo ?? false,
  feedback: message.answer?.feedback ?? null,
  createdAt,
});
