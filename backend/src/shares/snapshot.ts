import {
  type GenerationError,
  isOpen,
  type Message,
  type MessagePart,
  PROJECT_TOOLS,
  type SharedMessage,
  type TerminalStatus,
} from '@tanya/contract';
import type { WrittenConversation, WrittenMessage } from '../chat/messages/conversation-writer.js';
import { replaceFiles, replacePartFiles } from '../chat/messages/content-files.js';

export const sharedFileUrl = (token: string, fileId: string): string => `/api/share/${token}/files/${fileId}`;

/** An answer that is still being written, or waits for approvals, belongs to a snapshot with its text so far. */
const finalStatus = (status: Message['status']): TerminalStatus => (isOpen(status) ? 'interrupted' : status);

/**
 * Makes the messages of a snapshot one by one, in their order: without ids, with copies of the files.
 * @param urlOf the URL of a copy
 * @param copies the id of each file's copy
 * @param isOwn whether it is for the owner alone, who may open the files of a project that the messages cite
 */
export function snapshotOf(
  urlOf: (fileId: string) => string,
  copies: ReadonlyMap<string, string>,
  isOwn = false,
): (message: Message) => SharedMessage {
  const nextCallId = callIds();
  const publicPart = isOwn ? (part: MessagePart) => part : withoutProject;
  return (message) => {
    const { content, isUserMessage, createdAt, status, modelId, parts, reasoning, notice, notices, isDemo, error } =
      message;
    return {
      content: replaceFiles(content, copies, urlOf),
      isUserMessage,
      createdAt,
      status: finalStatus(status),
      modelId,
      ...(parts && {
        parts: replacePartFiles(parts, copies, urlOf).map((part) => finalPart(publicPart(part), nextCallId)),
      }),
      reasoning,
      error: error === null ? null : publicError(error),
      notice,
      ...(notices && { notices }),
      ...(isDemo ? { isDemo } : {}),
    };
  };
}

/** Ids of calls in the order of a snapshot: nine letters and digits, which every provider takes. */
function callIds(): () => string {
  let count = 0;
  return () => `call${String((count += 1)).padStart(5, '0')}`;
}

/**
 * Of the files of a project, the cited quotes with their labels alone: neither the files nor what else tools read of them. A
 * call that failed lists the names of files, and one that opens a file names it.
 */
function withoutProject(part: MessagePart): MessagePart {
  if (part.type === 'source' && part.fileId !== undefined) {
    const { fileId, section, ...quoted } = part;
    return { ...quoted, url: '' };
  }
  if (part.type !== 'tool' || !PROJECT_TOOLS.includes(part.tool)) return part;
  const { result, error, args, ...call } = part;
  const { query } = (args ?? {}) as { query?: unknown };
  return {
    ...call,
    args: query === undefined ? {} : { query },
    ...(result !== undefined && { result: '', truncated: true }),
  };
}

/** A call that has not ended belongs to a snapshot as interrupted. */
function finalPart(part: MessagePart, nextCallId: () => string): MessagePart {
  if (part.type !== 'tool') return part;
  const { approved, ...call } = part;
  const hasEnded = call.state !== 'running' && call.state !== 'waiting';
  return { ...call, callId: nextCallId(), state: hasEnded ? call.state : 'interrupted' };
}

/** An error without its technical cause, which names the connection. */
const publicError = ({ code, message, retryable, params }: GenerationError): NonNullable<SharedMessage['error']> => ({
  code,
  message,
  retryable,
  ...(params && { params }),
});

/**
 * Makes a conversation from a snapshot, for the thread of the client that continues it.
 * @param copies the id of each file's copy
 * @param urlOf the URL of a copy
 */
export function toConversation(
  title: string,
  messages: readonly SharedMessage[],
  copies: ReadonlyMap<string, string>,
  urlOf: (fileId: string) => string,
): Pick<WrittenConversation, 'title' | 'modelId' | 'messages' | 'activeLeaf' | 'isShared'> {
  const written = messages.map((message, at): WrittenMessage => ({
    parent: at === 0 ? null : at - 1,
    content: replaceFiles(message.content, copies, urlOf),
    isUserMessage: message.isUserMessage,
    status: finalStatus(message.status),
    modelId: message.modelId,
    reasoning: message.reasoning,
    parts: replacePartFiles(message.parts ?? [], copies, urlOf),
    error: message.error,
    notice: message.notice,
    notices: message.notices ?? null,
    isDemo: message.isDemo ?? false,
    createdAt: new Date(message.createdAt),
  }));
  const modelId = messages.findLast(({ modelId }) => modelId !== null)?.modelId ?? null;
  return { title, modelId, messages: written, activeLeaf: written.length - 1, isShared: true };
}
