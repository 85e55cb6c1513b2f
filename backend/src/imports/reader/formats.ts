import type { ImportSource } from '@tanya/contract';
import { fieldsOf, listOf } from './fields.js';
import { fromChatGpt } from './programs/chatgpt.js';
import { fromClaude } from './programs/claude.js';
import { fromDeepSeek } from './programs/deepseek.js';
import { fromGrok } from './programs/grok.js';
import { fromLibreChat } from './programs/librechat.js';
import { fromLobeChat } from './programs/lobechat.js';
import { fromOpenWebUi } from './programs/open-webui.js';
import { fromTypingMind } from './programs/typingmind.js';
import type { Converter, SourceConversation } from './source-conversation.js';
import { fromTanya } from './tanya.js';

const CONVERTERS: [ImportSource, Converter][] = [
  ['deepseek', fromDeepSeek],
  ['chatgpt', fromChatGpt],
  ['claude', fromClaude],
  ['grok', fromGrok],
  ['open-webui', fromOpenWebUi],
  ['librechat', fromLibreChat],
  ['typingmind', fromTypingMind],
];

export interface Recognized {
  source: ImportSource;
  conversations: SourceConversation[];
}

/** The conversations of one JSON value by its shape; null for a value of an unknown format. */
export function recognize(value: unknown): Recognized | null {
  for (const [source, convert] of CONVERTERS) {
    const conversation = convert(value);
    if (conversation !== null) return { source, conversations: [conversation] };
  }
  const own = fromTanya(value);
  if (own !== null) return { source: 'tanya', conversations: own };
  const ofTopics = fromLobeChat(value);
  if (ofTopics !== null) return { source: 'lobechat', conversations: ofTopics };
  return inList('chatgpt', fieldsOf(value).conversations, fromChatGpt) ?? chatsOfTypingMind(value);
}

const chatsOfTypingMind = (value: unknown): Recognized | null =>
  inList('typingmind', fieldsOf(fieldsOf(value).data).chats, fromTypingMind);

/** The conversations of a list that an export has in a field. */
function inList(source: ImportSource, list: unknown, convert: Converter): Recognized | null {
  const conversations = listOf(list).flatMap((entry) => convert(entry) ?? []);
  return conversations.length > 0 ? { source, conversations } : null;
}
