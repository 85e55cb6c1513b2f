import type { MessageNotice } from '@tanya/contract';
import type { ModelDocument } from '../../../files/document-pieces.js';
import type { ProviderMessage, ProviderPart } from '../../../providers/provider.js';
import { estimateTokens, MEDIA_TOKENS, MESSAGE_OVERHEAD, messageTokens } from '../../../providers/token-estimate.js';
import type { AnswerPart } from '../../messages/stored-parts.js';
import { messagesWithCalls, messagesWithoutReasoning } from './prompt-calls.js';
import { frameTokens, picturesIn, withDocuments } from './prompt-documents.js';
import { cutToTokens } from './tokens.js';

/** One message of the conversation, with its attachments resolved. */
export interface PromptTurn {
  role: 'user' | 'assistant';
  text: string;
  documents?: ModelDocument[];
  media?: Exclude<ProviderPart, { type: 'text' }>[];
  /** What the files of the project have for the newest message: at most a quarter of the context. */
  material?: string;
  /** Number of images and recordings that were not read, because they cannot fit. */
  unread?: number;
  /** The parts of an answer with calls of tools. They are kept or left out together. */
  parts?: AnswerPart[];
}

/** The newest text keeps this number of tokens beside images. */
const MINIMUM_TEXT = 16;

/** Tokens of a message without its files. */
export const textTokens = (text: string): number => estimateTokens(text) + MESSAGE_OVERHEAD;

export const mediaWithin = (tokens: number): number => Math.max(0, Math.floor(tokens / MEDIA_TOKENS));

function toProviderMessage(
  role: PromptTurn['role'],
  parts: ProviderPart[],
  media: NonNullable<PromptTurn['media']>,
): ProviderMessage {
  const [first] = parts;
  const isText = media.length === 0 && parts.length <= 1 && first?.type !== 'image';
  return { role, content: isText ? (first?.type === 'text' ? first.text : '') : [...parts, ...media] };
}

/** The tokens of the texts of a message. */
const tokensOf = (parts: readonly ProviderPart[]): number =>
  parts.reduce((sum, part) => sum + (part.type === 'text' ? estimateTokens(part.text) : 0), 0);

const sumOf = (documents: readonly ModelDocument[], count: (document: ModelDocument) => number): number =>
  documents.reduce((sum, document) => sum + count(document), 0);

/** The room of a prompt while it is filled, newest message first. */
interface Room {
  tokens: number;
  freeMedia: number;
  /** Whether the model reads images. */
  takesImages: boolean;
}

export class PromptFiller {
  readonly messages: ProviderMessage[] = [];
  private omitted = 0;
  private unseenPages = 0;

  constructor(
    private readonly room: Room,
    private readonly notices: MessageNotice[],
  ) {}

  /**
   * Adds the newest turn: its text first, then images and recordings, at least one, then pages as pictures, then the texts
   * of documents in the rest.
   */
  addNewest({ role, text, media = [], documents = [], material = '' }: PromptTurn): void {
    const { room } = this;
    room.tokens -= estimateTokens(material);
    const pages = sumOf(documents, picturesIn);
    const beside = textTokens(text) + (pages === 0 ? 0 : sumOf(documents, frameTokens));
    const most = room.freeMedia + mediaWithin(room.tokens - beside);
    const kept = media.slice(0, Math.max(1, most));
    const shown = Math.min(pages, Math.max(kept.length === 0 ? 1 : 0, most - kept.length));
    this.takeMedia(kept.length + shown);
    room.tokens -= MESSAGE_OVERHEAD;
    const ownText = cutToTokens(text, Math.max(room.tokens, MINIMUM_TEXT));
    if (ownText.length < text.length) this.notices.push({ code: 'message_cut' });
    const left = room.tokens - estimateTokens(ownText) - MESSAGE_OVERHEAD;
    const asked = [ownText, material].filter(Boolean).join('\n\n');
    const whole = withDocuments(asked, documents, left, shown);
    if (whole.cut === 1) this.notices.push({ code: 'document_cut' });
    if (whole.cut > 1) this.notices.push({ code: 'documents_cut', params: { count: whole.cut } });
    room.tokens -= tokensOf(whole.parts) - estimateTokens(material);
    this.omitted += media.length - kept.length + whole.omitted;
    this.unseenPages += sumOf(documents, ({ textless }) => textless) - shown;
    this.messages.push(toProviderMessage(role, whole.parts, kept));
  }

  /**
   * Adds an earlier turn. Its documents, or the results of its calls, get at most half of the room.
   * @returns false when it does not fit
   */
  addEarlier({ role, text, media = [], unread = 0, documents = [], parts }: PromptTurn): boolean {
    if (parts !== undefined) return this.addCalls(parts);
    const { room } = this;
    const textRoom = Math.floor(room.tokens / 2);
    const plain = withDocuments(text, documents, textRoom);
    const besideText = room.tokens - tokensOf(plain.parts) - MESSAGE_OVERHEAD;
    const most = room.freeMedia + mediaWithin(besideText);
    const kept = media.slice(0, most);
    if (besideText < 0 || (kept.length === 0 && media.length + unread > 0)) return false;
    const shown = Math.min(sumOf(documents, picturesIn), most - kept.length);
    // A page sent as a picture needs fewer words than a page without text.
    const whole = shown === 0 ? plain : withDocuments(text, documents, textRoom, shown);
    room.tokens -= tokensOf(whole.parts) + MESSAGE_OVERHEAD;
    this.takeMedia(kept.length + shown);
    this.omitted += media.length + unread - kept.length + whole.omitted;
    this.unseenPages += sumOf(documents, ({ textless }) => textless) - shown;
    this.messages.unshift(toProviderMessage(role, whole.parts, kept));
    return true;
  }

  /** Remarks on all content that was left out. @param left number of turns that were not added */
  allNotices(left: number): MessageNotice[] {
    const { omitted, unseenPages } = this;
    if (omitted > 0) this.notices.push({ code: 'attachments_omitted', params: { count: omitted } });
    if (unseenPages > 0) {
      const code = this.room.takesImages ? 'pages_left_out' : 'pages_without_text';
      this.notices.push({ code, params: { count: unseenPages } });
    }
    if (left > 0) this.notices.push({ code: 'earlier_left_out', params: { count: left } });
    return this.notices;
  }

  /** Adds an answer with calls; without its reasoning, which has no bound, where it does not fit with it. */
  private addCalls(parts: readonly AnswerPart[]): boolean {
    const resultTokens = Math.floor(this.room.tokens / 2);
    if (this.addWhole(messagesWithCalls(parts, resultTokens))) return true;
    const shorter = messagesWithoutReasoning(parts, resultTokens);
    return shorter !== null && this.addWhole(shorter);
  }

  private addWhole(messages: ProviderMessage[]): boolean {
    const { room } = this;
    const tokens = messages.reduce((sum, message) => sum + messageTokens(message), 0);
    if (tokens > room.tokens) return false;
    room.tokens -= tokens;
    this.messages.unshift(...messages);
    return true;
  }

  private takeMedia(count: number): void {
    const free = Math.min(count, this.room.freeMedia);
    this.room.freeMedia -= free;
    this.room.tokens -= (count - free) * MEDIA_TOKENS;
  }
}
