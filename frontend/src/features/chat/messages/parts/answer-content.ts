import {
  derivedParts,
  isOpen,
  type Message,
  type MessageContent,
  type MessagePart,
  parseContent,
} from '@tanya/contract';

/** The content of a running answer is plain text; that of a final one may be JSON. */
export const parseAnswer = ({ status, content }: Pick<Message, 'status' | 'content'>): MessageContent =>
  isOpen(status) ? { text: content } : parseContent(content);

/** Whether a complete answer ended at a limit of its length. */
export const endedAtLimit = ({ status, notices }: Pick<Message, 'status' | 'notices'>): boolean =>
  status === 'complete' && Boolean(notices?.some(({ code }) => code === 'answer_length' || code === 'answer_cut'));

/** The parts of an answer. One that was written without any has its reasoning, its image and its text. */
export function messageParts(message: Pick<Message, 'status' | 'content' | 'reasoning' | 'parts'>): MessagePart[] {
  const { text, imageUrl } = parseAnswer(message);
  if (imageUrl === undefined) return message.parts ?? derivedParts({ text }, message.reasoning);
  return [...derivedParts({ text: '', imageUrl }, message.reasoning), ...derivedParts({ text }, null)];
}
