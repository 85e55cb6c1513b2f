import type { ChatCompletionMessage, ChatCompletionRequest } from '@tanya/contract';
import { invalidField } from '../platform/errors/app-error.js';
import { presentFields } from '../platform/http/present-fields.js';
import type { ProviderMessage, ProviderPart, Sampling } from '../providers/provider.js';

/** Fields of OpenAI's that change what an answer is, so ignoring them would be a lie. The value is the harmless one. */
const NOT_DONE: Record<string, (value: unknown) => boolean> = {
  tools: (value) => Array.isArray(value) && value.length === 0,
  functions: (value) => Array.isArray(value) && value.length === 0,
  tool_choice: (value) => value === 'none',
  n: (value) => value === 1,
  response_format: (value) => (value as { type?: unknown } | null)?.type === 'text',
  logprobs: (value) => value === false,
  audio: () => false,
  modalities: (value) => Array.isArray(value) && value.length === 1 && value[0] === 'text',
};

/** @throws AppError `invalid` naming the field */
export function refuseUnsupported(body: Record<string, unknown>): void {
  for (const [field, isHarmless] of Object.entries(NOT_DONE)) {
    const value = body[field];
    if (value !== undefined && value !== null && !isHarmless(value))
      throw invalidField(field, `${field} is not supported`);
  }
}

/** What is handed on as it came. */
export function samplingOf(request: ChatCompletionRequest): Sampling {
  const { temperature, top_p, presence_penalty, frequency_penalty, stop, seed } = request;
  return presentFields({ temperature, top_p, presence_penalty, frequency_penalty, stop, seed });
}

const DATA_IMAGE = /^data:image\/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/=]+$/;

function toPart(part: unknown, param: string): ProviderPart {
  const {
    type,
    text,
    image_url: image,
  } = (part ?? {}) as { type?: unknown; text?: unknown; image_url?: { url?: unknown } };
  if (type === 'text' && typeof text === 'string') return { type: 'text', text: text.toWellFormed() };
  if (type === 'image_url') {
    const url = image?.url;
    if (typeof url === 'string' && DATA_IMAGE.test(url)) return { type: 'image', dataUrl: url };
    throw invalidField(param, 'Images must be data URLs of PNG, JPEG, GIF or WebP');
  }
  throw invalidField(param, 'Content parts must be text or image_url');
}

/** An answer without a word, which clients keep in their history; some providers would refuse it. */
export const isEmptyAnswer = ({ role, content }: ChatCompletionMessage): boolean =>
  role === 'assistant' && (content === null || content === '');

/** The conversation as a provider takes it, without empty answers. @throws AppError `invalid` naming the part */
export function toProviderMessages(messages: ChatCompletionRequest['messages']): ProviderMessage[] {
  if (messages.every(isEmptyAnswer)) throw invalidField('messages', 'messages should not be empty');
  return messages.flatMap((message, index) => (isEmptyAnswer(message) ? [] : [toProviderMessage(message, index)]));
}

function toProviderMessage({ role, content }: ChatCompletionMessage, index: number): ProviderMessage {
  const param = `messages.${index}.content`;
  const as = role === 'developer' ? 'system' : role;
  if (typeof content === 'string') return { role: as, content: content.toWellFormed() };
  if (!Array.isArray(content) || content.length === 0) {
    throw invalidField(param, 'content must be a text or a list of parts');
  }
  return { role: as, content: content.map((part) => toPart(part, param)) };
}
