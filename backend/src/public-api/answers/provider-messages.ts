import {
  API_LIMITS,
  AUDIO_FORMATS,
  type AudioFormat,
  type ChatCompletionMessage,
  type ChatCompletionPart,
  type ChatCompletionRequest,
  type FunctionCall,
  LIMITS,
} from '@tanya/contract';
import type { ClientTools } from '../../chat/generation/live/run-spec.js';
import { invalidField } from '../../platform/errors/app-error.js';
import { isFields } from '../../platform/json/fields.js';
import { truncate } from '../../platform/json/storable-json.js';
import { inSlices, Slices } from '../../platform/system/slices.js';
import { presentFields } from '../../platform/http/present-fields.js';
import type { ProviderMessage, ProviderPart, ProviderToolCall } from '../../providers/provider.js';
import { estimateTokens, promptTokens } from '../../providers/token-estimate.js';
import { callArguments, resultContent } from './call-arguments.js';
import { shortName } from './chat-parameters.js';
import { base64In, IMAGE_RULE, imageDetail, imageUrl } from './data-image.js';
import { requireFewPictures } from './remote-pictures.js';
import type { RequestFiles } from './request-files.js';

/** Kept beside the messages: what is stored of a request, and compared with a repeated one, has no place. */
const places = new WeakMap<ChatCompletionMessage, string>();

/** A message of another API, with the field of its request that errors name. */
export function placed(message: ChatCompletionMessage, field: string): ChatCompletionMessage {
  places.set(message, field);
  return message;
}

/** The field of a message that was converted from another API. */
export const fieldOf = (message: ChatCompletionMessage): string | undefined => places.get(message);

const callsOf = ({ role, tool_calls }: ChatCompletionMessage): FunctionCall[] =>
  role === 'assistant' ? (tool_calls ?? []) : [];

/** Parts of an answer with its reasoning: of Mistral, of Anthropic, and of clients that keep it so. No model reads it as text. */
const REASONING_PARTS: readonly unknown[] = ['thinking', 'redacted_thinking', 'reasoning', 'think'];

const isReasoningPart = (part: unknown): boolean => isFields(part) && REASONING_PARTS.includes(part['type']);

/** The content of a message without the reasoning of an answer, which may be all of it. One that refused says so elsewhere. */
function contentIn({ role, content, refusal }: ChatCompletionMessage): ChatCompletionMessage['content'] {
  if (role === 'assistant' && !content) return refusal || (content ?? null);
  if (role !== 'assistant' || !Array.isArray(content) || !content.some(isReasoningPart)) return content;
  const rest = content.filter((part) => !isReasoningPart(part));
  return rest.length > 0 ? rest : '';
}

/** Whether a message is an empty answer. Clients keep these in their history, and some providers refuse them. */
function isEmptyAnswer(message: ChatCompletionMessage): boolean {
  if (message.role !== 'assistant' || callsOf(message).length > 0) return false;
  const content = contentIn(message);
  return content === null || content === '';
}

const isRefusal = ({ role, refusal }: ChatCompletionMessage): boolean => role === 'assistant' && Boolean(refusal);

/** Whether a message may have no content: an empty answer or text, one that refused, one with calls, and the result of a tool. */
export const mayBeEmpty = (message: ChatCompletionMessage): boolean =>
  message.content === '' ||
  isEmptyAnswer(message) ||
  isRefusal(message) ||
  callsOf(message).length > 0 ||
  message.role === 'tool';

/** Whether a message is left out: an empty answer, and an empty message of the system, which some providers refuse. */
const isLeftOutMessage = (message: ChatCompletionMessage): boolean =>
  isEmptyAnswer(message) || (message.content === '' && ['system', 'developer'].includes(message.role));

/** Whether any message has content. A provider refuses a request without it. */
export const haveContent = (messages: readonly ChatCompletionMessage[]): boolean =>
  messages.some((message) => !isLeftOutMessage(message) && !(message.role === 'user' && message.content === ''));

/**
 * Converts the messages to the provider's form, without empty answers and empty messages of the system. Files are read.
 * @throws AppError `invalid` naming the part, the errors of `RequestFiles.partsOf`
 */
export async function toProviderMessages(
  messages: ChatCompletionRequest['messages'],
  files: Pick<RequestFiles, 'partsOf'>,
): Promise<ProviderMessage[]> {
  if (!haveContent(messages)) throw invalidField('messages', 'messages must contain text. Please add a message.');
  requireAnsweredCalls(messages);
  const slices = new Slices();
  const converted: ProviderMessage[] = [];
  // Providers take those of users alone: what the tools of a turn have shown follows their results.
  let pictures: ProviderPart[] = [];
  const addPictures = (): void => {
    if (pictures.length > 0) converted.push({ role: 'user', content: pictures });
    pictures = [];
  };
  for (const [index, message] of messages.entries()) {
    await slices.pause();
    if (isLeftOutMessage(message)) continue;
    if (message.role !== 'tool') addPictures();
    const { name } = message;
    const one = withReasoning(await toProviderMessage(message, index, slices, files, pictures), message);
    converted.push(name === undefined ? one : { ...one, name: toName(name) });
  }
  addPictures();
  await slices.pause();
  requireFewPictures(converted);
  const [asked, last] = [messages.at(-1)!, converted.at(-1)];
  const continuedBy = CONTINUED.find((field) => asked[field] === true);
  // An empty answer is left out: the one before it is not continued.
  if (last?.role === 'assistant' && continuedBy !== undefined && !isLeftOutMessage(asked))
    last.continuedBy = continuedBy;
  return converted;
}

/** With which DeepSeek and Mistral, Kimi and Qwen continue the last message. */
const CONTINUED = ['prefix', 'partial'] as const;

/** Characters of the name of an author at OpenAI, which refuses a longer one, and one with blanks. */
const NAME_CHARACTERS = 64;

/** Cut first: a name may fill a body. */
const toName = (name: string): string =>
  truncate(name, NAME_CHARACTERS)
    .replace(/[\s<|\\/>]+/g, '_')
    .toWellFormed();

/** Estimated tokens of a prompt with the definitions of its tools. */
export const promptSizeOf = (messages: readonly ProviderMessage[], { tools }: ClientTools = {}): number =>
  promptTokens(messages) + (tools === undefined ? 0 : estimateTokens(JSON.stringify(tools)));

/** Adds the reasoning of an answer, which some providers require with its calls, be it empty. */
function withReasoning(
  converted: ProviderMessage,
  { reasoning_content: text, reasoning_details: details }: ChatCompletionMessage,
): ProviderMessage {
  if (converted.role !== 'assistant') return converted;
  const isKept = text !== undefined && (text !== '' || converted.toolCalls !== undefined);
  const reasoning = {
    reasoningContent: isKept ? text.toWellFormed() : undefined,
    reasoningDetails: details?.length ? details : undefined,
  };
  return { ...converted, ...presentFields(reasoning) };
}

/** Every call has its result right after its message, and every result its call: providers refuse anything else. */
function requireAnsweredCalls(messages: readonly ChatCompletionMessage[]): void {
  let open = new Set<string>();
  let caller = 0;
  const requireResults = (): void => {
    if (open.size === 0) return;
    const place = fieldOf(messages[caller]!);
    throw place === undefined
      ? invalidField(`messages.${caller}.tool_calls`, 'Each call needs a message of the role tool after it.')
      : invalidField(place, 'Each call needs its result in the message after it.');
  };
  messages.forEach((message, index) => {
    if (isLeftOutMessage(message)) return;
    if (message.role === 'tool') {
      if (open.delete(message.tool_call_id ?? '')) return;
      const place = fieldOf(message);
      throw place === undefined
        ? invalidField(
            `messages.${index}.tool_call_id`,
            'tool_call_id must name a call of the assistant message before it.',
          )
        : invalidField(place, 'Each result needs its call in the message before it.');
    }
    requireResults();
    const ids = callsOf(message).map(({ id }) => id);
    open = new Set(ids);
    caller = index;
    if (open.size < ids.length)
      throw invalidField(fieldOf(message) ?? `messages.${index}.tool_calls`, 'Each call needs an id of its own.');
  });
  requireResults();
}

/** @param pictures receives what a result of a tool has beside its text */
async function toProviderMessage(
  message: ChatCompletionMessage,
  index: number,
  slices: Slices,
  files: Pick<RequestFiles, 'partsOf'>,
  pictures: ProviderPart[],
): Promise<ProviderMessage> {
  const param = fieldOf(message) ?? `messages.${index}.content`;
  const calls = callsOf(message);
  const own = contentIn(message);
  const given = message.role === 'tool' ? await resultContent(own, param, slices) : own;
  const isEmptyList = Array.isArray(given) && given.length === 0;
  const mayLack = calls.length > 0 || message.role === 'tool';
  const readable = message.role === 'user' ? files : null;
  const text = isEmptyList && mayLack ? '' : (given ?? (mayLack ? '' : undefined));
  const content = await contentOf(text, param, slices, readable);
  switch (message.role) {
    case 'user':
      return { role: 'user', content };
    case 'tool':
      if (typeof content !== 'string') pictures.push(...content.filter(({ type }) => type !== 'text'));
      return { role: 'tool', callId: message.tool_call_id!.toWellFormed(), content: textOf(content) };
    case 'assistant':
      requireText(content, param);
      return {
        role: 'assistant',
        content,
        ...(calls.length > 0 && { toolCalls: await toProviderCalls(message, index, slices) }),
      };
    default:
      requireText(content, param);
      return { role: 'system', content };
  }
}

async function toProviderCalls(
  message: ChatCompletionMessage,
  place: number,
  slices: Slices,
): Promise<ProviderToolCall[]> {
  const converted: ProviderToolCall[] = [];
  // Those of another API were bounded as they came: as JSON within JSON they are longer.
  const most = fieldOf(message) === undefined ? undefined : Infinity;
  for (const [index, { id, function: called, extra_content: extraContent }] of callsOf(message).entries()) {
    const param = `messages.${place}.tool_calls.${index}.function.arguments`;
    const json = await callArguments(called.arguments, param, slices, most);
    const call = { id: id.toWellFormed(), name: shortName(called.name.toWellFormed()), args: {}, json };
    converted.push({ ...call, ...presentFields({ extraContent }) });
  }
  return converted;
}

/** @param files null where a message may have none */
async function contentOf(
  content: unknown,
  param: string,
  slices: Slices,
  files: Pick<RequestFiles, 'partsOf'> | null,
): Promise<string | ProviderPart[]> {
  if (typeof content === 'string') return content.toWellFormed();
  if (!Array.isArray(content) || content.length === 0) {
    throw invalidField(param, 'content must be a string or a list of parts');
  }
  if (content.length > API_LIMITS.parts)
    throw invalidField(param, `content must have at most ${API_LIMITS.parts.toLocaleString('en')} parts`);
  const parts: ProviderPart[] = [];
  let pages: number = LIMITS.pagePictures;
  for await (const part of inSlices(content, slices)) {
    const { type, file } = (part ?? {}) as { type?: unknown; file?: unknown };
    if (type !== 'file') {
      parts.push(await toPart(part, param, slices));
      continue;
    }
    if (files === null) throw invalidField(param, 'Only messages of the role user may have files');
    const read = await files.partsOf(file, pages, param);
    // An image that was sent as a file stands alone; pages stand below their labels.
    if (read.length > 1) pages -= read.filter((each) => each.type === 'image').length;
    parts.push(...read);
  }
  // Clients send empty texts beside pictures and results, and some providers refuse them.
  const filled = parts.filter((part) => part.type !== 'text' || part.text !== '');
  return filled.length > 0 ? filled : parts;
}

/** @throws AppError `invalid` for images and recordings: providers take those of users alone, and would answer without them */
function requireText(content: string | ProviderPart[], param: string): void {
  if (typeof content !== 'string' && content.some(({ type }) => type !== 'text'))
    throw invalidField(param, 'Only messages of the role user may have images and recordings');
}

/** The result of a tool, which providers take as a text. */
const textOf = (content: string | ProviderPart[]): string =>
  typeof content === 'string' ? content : textOfParts(content);

/** The text of parts, without what stands beside it. */
export const textOfParts = (parts: readonly (ProviderPart | ChatCompletionPart)[]): string =>
  parts.map((part) => (part.type === 'text' ? part.text : '')).join('');

interface Image {
  url?: unknown;
  detail?: unknown;
}

/** The text of chat completions, and that of Responses, which some clients send here. */
const TEXT_PARTS: readonly unknown[] = ['text', 'input_text', 'output_text'];

async function toPart(part: unknown, param: string, slices: Slices): Promise<ProviderPart> {
  const { type, text, refusal, image_url, detail, source, input_audio } = (part ?? {}) as Record<string, unknown>;
  if (TEXT_PARTS.includes(type) && typeof text === 'string') return { type: 'text', text: text.toWellFormed() };
  if (type === 'refusal' && typeof refusal === 'string') return { type: 'text', text: refusal.toWellFormed() };
  // Mistral and Responses have the address itself.
  if (type === 'image_url' || type === 'input_image')
    return toImage(isFields(image_url) ? image_url : { url: image_url, detail }, param, slices);
  if (type === 'image' && isFields(source)) return toImage({ url: addressOf(source) }, param, slices);
  if (type === 'input_audio') return toAudio(input_audio ?? {}, param, slices);
  throw invalidField(param, 'Content parts must be text, image_url, input_audio or file');
}

async function toImage({ url, detail }: Image, param: string, slices: Slices): Promise<ProviderPart> {
  const dataUrl = await imageUrl(url, param, slices);
  if (dataUrl === null) throw invalidField(param, IMAGE_RULE);
  return { type: 'image', dataUrl, ...presentFields({ detail: imageDetail(detail, param) }) };
}

/** The address of a picture of Anthropic's, or its data as one. */
const addressOf = ({ type, media_type: media, data, url }: Record<string, unknown>): unknown =>
  type === 'base64' && typeof media === 'string' && typeof data === 'string' ? `data:${media};base64,${data}` : url;

interface Audio {
  data?: unknown;
  format?: unknown;
}

const AUDIO_TYPES: Record<AudioFormat, string> = { wav: 'audio/wav', mp3: 'audio/mpeg' };

async function toAudio({ data, format }: Audio, param: string, slices: Slices): Promise<ProviderPart> {
  const known = AUDIO_FORMATS.find((one) => one === format);
  if (known === undefined) throw invalidField(param, `format of input_audio must be ${AUDIO_FORMATS.join(' or ')}`);
  const content = typeof data === 'string' ? await base64In(data, slices) : null;
  if (content === null) throw invalidField(param, 'data of input_audio must be base64');
  return { type: 'audio', dataUrl: `data:${AUDIO_TYPES[known]};base64,${content}` };
}
