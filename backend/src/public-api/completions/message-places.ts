import type { ChatCompletionMessage } from '@tanya/contract';

/** Kept beside the messages: what is stored of a request, and compared with a repeated one, has no place. */
const places = new WeakMap<ChatCompletionMessage, string>();

/** A message of another API, with the field of its request that errors name. */
export function placed(message: ChatCompletionMessage, field: string): ChatCompletionMessage {
  places.set(message, field);
  return message;
}

/** The field of a message that was converted from another API. */
export const placeOf = (message: ChatCompletionMessage): string | undefined => places.get(message);
