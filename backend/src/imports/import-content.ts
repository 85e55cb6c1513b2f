import { derivedParts, LIMITS, type MessageContent, type MessagePart, type StoredFile } from '@tanya/contract';
import { contentWithFiles } from '../files/attached-files.js';
import type { WrittenMessage, WrittenThread } from '../chat/messages/conversation-writer.js';
import { automaticTitle, toStoredContent } from '../chat/messages/message-content.js';
import { CUT_NOTICE } from './import-texts.js';
import type { ReadConversation, ReadMessage } from './reader/reader-messages.js';

interface Shown {
  content: MessageContent;
  parts: MessagePart[];
  files: readonly StoredFile[];
}

const kindOf = ({ type }: StoredFile) => type.split('/')[0];

function questionOf(text: string, files: readonly StoredFile[]): Shown {
  const shown = files.slice(0, LIMITS.attachments);
  const attachments = shown.map(({ id: fileId, notice: _notice, notices: _notices, ...file }) => ({ fileId, ...file }));
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

/** The rows of a conversation, made page by page. */
export class ConversationContent {
  readonly thread: WrittenThread;
  /** Places in which a message shows a file that the export does not have, or that was not accepted. */
  private missing = 0;
  private readonly shownFiles = new Set<StoredFile>();

  /** @param files the stored files by their number in the export */
  constructor(
    read: ReadConversation,
    private readonly files: ReadonlyMap<number, StoredFile>,
    private readonly now: Date,
  ) {
    const createdAt = past(read.createdAt, now);
    this.thread = {
      title: read.title || automaticTitle({ text: read.question }),
      modelId: read.own?.modelId ?? null,
      tools: read.own?.tools ?? [],
      useInstructions: read.own?.useInstructions ?? null,
      createdAt,
      updatedAt: past(read.updatedAt ?? createdAt.getTime(), now),
      lifetime: null,
      isPinned: read.isPinned,
      isArchived: read.isArchived,
    };
  }

  /** The files that the messages so far show. */
  get shown(): StoredFile[] {
    return [...this.shownFiles];
  }

  /** The files that no message so far shows. */
  get surplus(): StoredFile[] {
    return [...this.files.values()].filter((file) => !this.shownFiles.has(file));
  }

  get leftOut(): number {
    return this.missing + this.surplus.length;
  }

  toWritten(messages: readonly ReadMessage[]): WrittenMessage[] {
    return messages.map((message) => {
      const stored = new Map(
        message.files.flatMap(({ file, address = '' }) => {
          const found = this.files.get(file);
          return found === undefined ? [] : [[address, found] as const];
        }),
      );
      const own = [...new Set(message.files.flatMap(({ file }) => this.files.get(file) ?? []))];
      this.missing += message.files.filter(({ file }) => !this.files.has(file)).length;
      const shown = message.isUserMessage ? questionOf(message.text, own) : answerOf(message, own, stored);
      for (const file of shown.files) this.shownFiles.add(file);
      return toWrittenMessage(message, shown, past(message.createdAt ?? this.thread.createdAt.getTime(), this.now));
    });
  }
}

const toWrittenMessage = (message: ReadMessage, { content, parts }: Shown, createdAt: Date): WrittenMessage => ({
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
