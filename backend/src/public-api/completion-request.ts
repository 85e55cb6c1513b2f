import type { ChatCompletionMessage, ChatCompletionRequest } from '@tanya/contract';
import { invalidField } from '../platform/errors/app-error.js';
import { presentFields } from '../platform/http/present-fields.js';
import type { ProviderMessage, ProviderPart, Sampling } from '../providers/provider.js';

/**
 * Unsupported fields of OpenAI's API that change the answer. Each has a predicate for values that may be ignored because
 * they request the default.
 */
const UNSUPPORTED: Record<string, (value: unknown) => boolean> = {
  tools: (value) => Array.isArray(value) && value.length === 0,
  functions: (value) => Array.isArray(value) && value.length === 0,
  function_call: (value) => value === 'none',
  tool_choice: (value) => value === 'none',
  n: (value) => value === 1,
  logprobs: (value) => value === false,
  top_logprobs: (value) => value === 0,
  prediction: () => false,
  web_search_options: () => false,
  audio: () => false,
  modalities: (value) => Array.isArray(value) && value.length === 1 && value[0] === 'text',
};

/** @throws AppError `invalid` naming the field */
export function refuseUnsupported(body: Record<string, unknown>): void {
  for (const [field, isDefault] of Object.entries(UNSUPPORTED)) {
    const value = body[field];
    if (value !== undefined && value !== null && !isDefault(value))
      throw invalidField(field, `${field} is not supported. Please remove it.`);
  }
}

/** The sampling parameters, passed to the provider unchanged. */
export function samplingOf(request: ChatCompletionRequest): Sampling {
  const { temperature, top_p, presence_penalty, frequency_penalty, stop, seed } = request;
  const format = request.response_format;
  const response_format = format?.type === 'text' ? undefined : format;
  return presentFields({ temperature, top_p, presence_penalty, frequency_penalty, stop, seed, response_format });
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
    throw invalidField(param, 'Images must be data URLs of PNG, JPEG, GIF or WebP files');
  }
  throw invalidField(param, 'Content parts must be text or image_url');
}

/** Whether a message is an empty answer. Clients keep these in their history, and some providers refuse them. */
export const isEmptyAnswer = ({ role, content }: ChatCompletionMessage): boolean =>
  role === 'assistant' && (content === null || content === '');

/**
 * Converts the messages to the provider's form, without empty answers.
 * @throws AppError `invalid` naming the part
 */
export function toProviderMessages(messages: ChatCompletionRequest['messages']): ProviderMessage[] {
  if (messages.every(isEmptyAnswer))
    throw invalidField('messages', 'messages must contain text. Please add a message.');
  return messages.flatMap((message, index) => (isEmptyAnswer(message) ? [] : [toProviderMessage(message, index)]));
}

function toProviderMessage({ role, content }: ChatCompletionMessage, index: number): ProviderMessage {
  const param = `messages.${index}.content`;
  const providerRole = role === 'developer' ? 'system' : role;
  if (typeof content === 'string') return { role: providerRole, content: content.toWellFormed() };
  if (!Array.isArray(content) || content.length === 0) {
    throw invalidField(param, 'content must be a string or a list of parts');
  }
  return { role: providerRole, content: content.map((part) => toPart(part, param)) };
}
