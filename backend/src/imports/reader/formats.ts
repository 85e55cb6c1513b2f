import type { ImportSource } from '@tanya/contract';
import { fromChatGpt } from './chatgpt.js';
import { fieldsOf, listOf } from './fields.js';
import { fromLibreChat } from './librechat.js';
import { fromOpenWebUi } from './open-webui.js';
import type { Converter, SourceConversation } from './source-conversation.js';
import { fromTanya } from './tanya.js';

const CONVERTERS: [ImportSource, Converter][] = [
  ['chatgpt', fromChatGpt],
  ['open-webui', fromOpenWebUi],
  ['librechat', fromLibreChat],
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
  // Some exports of ChatGPT have the list in a field.
  const wrapped = listOf(fieldsOf(value).conversations).flatMap((entry) => fromChatGpt(entry) ?? []);
  return wrapped.length > 0 ? { source: 'chatgpt', conversations: wrapped } : null;
}
