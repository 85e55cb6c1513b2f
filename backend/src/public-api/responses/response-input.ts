import { API_LIMITS, type ChatCompletionMessage, type ChatCompletionPart } from '@tanya/contract';
import { invalidField } from '../../platform/errors/app-error.js';
import { inSlices, Slices } from '../../platform/system/slices.js';
import { type Fields, isFields } from '../../platform/json/fields.js';
import { presentFields } from '../../platform/http/present-fields.js';
import { callArguments, resultContent } from '../answers/call-arguments.js';
import { textIn } from '../json-fields.js';
import { IMAGE_RULE, imageDetail, imageUrl } from '../answers/data-image.js';
import { fieldOf, placed, textOfParts } from '../answers/provider-messages.js';
import { asksForCompaction, summaryMessage } from './compaction.js';
import { onlyConfigures } from './response-request.js';
import { isReasoning } from './response-request.dto.js';
import { onlyAddsTools } from './offered-tools.js';
import { asFunctionItem, customArguments } from './response-calls.js';
import { TOOL_SEARCH, upstreamName } from './response-tools.js';

type RequestFile = Extract<ChatCompletionPart, { type: 'file' }>['file'];

const ROLES = ['user', 'assistant', 'system', 'developer'] as const;

const textParts: readonly unknown[] = ['input_text', 'output_text', 'text'];

/** The picture of Responses, and that of chat completions, whose address is in an object. */
const IMAGE_PARTS: readonly unknown[] = ['input_image', 'image_url'];

/** What OpenAI's servers ran in an earlier part of the conversation: its text tells of it. */
const RUN_BY_OPENAI = new Set<unknown>([
  ...['web_search_call', 'file_search_call', 'code_interpreter_call', 'image_generation_call'],
  ...['mcp_list_tools', 'mcp_approval_request', 'mcp_approval_response', 'mcp_call'],
  ...['program', 'program_output'],
]);

/** Whether an item is no part of the conversation that a model reads. */
const isUnreadableItem = (item: unknown): boolean =>
  isReasoning(item) ||
  onlyAddsTools(item) ||
  onlyConfigures(item) ||
  asksForCompaction(item) ||
  (isFields(item) && RUN_BY_OPENAI.has(item['type']));

/**
 * Converts the input of a response to messages, without reasoning.
 * @throws AppError `invalid` naming the item
 */
export async function fromResponseInput(input: string | readonly unknown[]): Promise<ChatCompletionMessage[]> {
  if (typeof input === 'string') return [{ role: 'user', content: input }];
  const slices = new Slices();
  const messages: ChatCompletionMessage[] = [];
  for (const [index, item] of input.entries()) {
    await slices.pause();
    if (isUnreadableItem(item)) continue;
    await addItem(messages, item, `input.${index}`, slices);
    const last = messages.at(-1);
    if (last !== undefined && fieldOf(last) === undefined) placed(last, `input.${index}`);
  }
  await slices.pause();
  return withImagesApart(messages);
}

/** Chat completions have results of text alone: images and files follow the results of a turn, in a message of the user. */
function withImagesApart(messages: readonly ChatCompletionMessage[]): ChatCompletionMessage[] {
  const apart: ChatCompletionMessage[] = [];
  let images: ChatCompletionPart[] = [];
  let place = 'input';
  const addImages = (): void => {
    if (images.length > 0) apart.push(placed({ role: 'user', content: images }, place));
    images = [];
  };
  for (const message of messages) {
    if (message.role !== 'tool') addImages();
    apart.push(message.role === 'tool' ? { ...message, content: textOf(message) } : message);
    if (message.role !== 'tool') continue;
    images.push(...partsOf(message).filter(({ type }) => type !== 'text'));
    place = fieldOf(message) ?? place;
  }
  addImages();
  return apart;
}

/** @throws AppError `invalid` when a call has no result after it, or a result no call before it */
export function requireResults(messages: readonly ChatCompletionMessage[]): void {
  let open = new Set<string>();
  for (const { role, tool_calls: calls = [], tool_call_id: id = '' } of messages) {
    if (role === 'tool') {
      if (!open.delete(id)) throw invalidField('input', 'Each function_call_output needs its function_call before it.');
      continue;
    }
    if (open.size > 0) break;
    open = new Set(calls.map((call) => call.id));
    if (open.size < calls.length) throw invalidField('input', 'Each function_call needs a call_id of its own.');
  }
  if (open.size > 0) throw invalidField('input', 'Each function_call needs its function_call_output after it.');
}

async function addItem(messages: ChatCompletionMessage[], item: unknown, param: string, slices: Slices): Promise<void> {
  if (typeof item !== 'object' || item === null) throw invalidField(param, 'An item of input must be an object');
  const fields = item as Fields;
  switch (fields['type'] ?? 'message') {
    case 'message':
      addMessage(messages, await toChatMessage(fields, param, slices));
      break;
    case 'agent_message':
      addMessage(messages, await agentMessage(fields, param, slices));
      break;
    case 'function_call':
      addCall(messages, fields, await callArguments(fields['arguments'], `${param}.arguments`, slices), param);
      break;
    case 'custom_tool_call':
      addCall(messages, fields, customArguments(textIn(fields, 'input', API_LIMITS.toolArguments, param, 0)), param);
      break;
    case 'tool_search_call': {
      const json = await callArguments(fields['arguments'], `${param}.arguments`, slices);
      addCall(messages, { ...fields, name: TOOL_SEARCH }, json, param);
      break;
    }
    case 'function_call_output':
    case 'custom_tool_call_output':
      addResult(messages, fields, await outputOf(fields['output'], `${param}.output`, slices), param);
      break;
    case 'compaction':
    // Other names of Codex.
    case 'compaction_summary':
    case 'context_compaction':
      addMessage(messages, summaryMessage(fields, param));
      break;
    case 'tool_search_output':
      addResult(messages, fields, foundTools(fields['tools'], `${param}.tools`), param);
      break;
    default: {
      const translated = asFunctionItem(fields);
      if (translated !== null) return addItem(messages, translated, param, slices);
      throw invalidField(
        `${param}.type`,
        'type must be message, agent_message, function_call, custom_tool_call, tool_search_call, an output of one, compaction, item_reference or reasoning',
      );
    }
  }
}

function addResult(
  messages: ChatCompletionMessage[],
  fields: Fields,
  content: string | ChatCompletionPart[],
  param: string,
): void {
  messages.push({ role: 'tool', tool_call_id: textIn(fields, 'call_id', API_LIMITS.toolCallId, param), content });
}

/** The result of a search for tools, whose definitions are among the tools of the request: their names. */
function foundTools(tools: unknown, param: string): string {
  if (!Array.isArray(tools) || tools.length > API_LIMITS.tools)
    throw invalidField(param, `tools must be a list of up to ${API_LIMITS.tools} tools`);
  const names = tools.flatMap((tool) => (isFields(tool) && typeof tool['name'] === 'string' ? [tool['name']] : []));
  return names.length === 0 ? 'No tools found.' : `Tools that can be called now: ${names.join(', ')}`;
}

/** A message of the assistant that follows its calls belongs to them: a model may write between calls, or after them. */
function addMessage(messages: ChatCompletionMessage[], message: ChatCompletionMessage): void {
  // It has no effect, and may stand between a call and its result.
  if (message.content === '' && (message.role === 'system' || message.role === 'developer')) return;
  const last = messages.at(-1);
  if (message.role === 'assistant' && last?.role === 'assistant' && last.tool_calls !== undefined)
    last.content = `${textOf(last)}${textOf(message)}`;
  else messages.push(message);
}

/** The parts of a message of parts; a text has none. */
const partsOf = ({ content }: ChatCompletionMessage): ChatCompletionPart[] => (Array.isArray(content) ? content : []);

/** The text of a message, without its images. */
const textOf = (message: ChatCompletionMessage): string =>
  typeof message.content === 'string' ? message.content : textOfParts(partsOf(message));

/** Calls that follow one another, or a message of the assistant, belong to one message. */
function addCall(messages: ChatCompletionMessage[], fields: Fields, json: string, param: string): void {
  const call = {
    id: textIn(fields, 'call_id', API_LIMITS.toolCallId, param),
    type: 'function' as const,
    function: {
      name: calledName(fields, param),
      arguments: json,
    },
  };
  const last = messages.at(-1);
  if (last?.role !== 'assistant') messages.push({ role: 'assistant', content: null, tool_calls: [call] });
  else if ((last.tool_calls?.length ?? 0) < API_LIMITS.toolCalls) last.tool_calls = [...(last.tool_calls ?? []), call];
  else throw invalidField(param, `A message must have at most ${API_LIMITS.toolCalls} calls`);
}

/** The name at the provider of a function that the model called. */
function calledName(fields: Fields, param: string): string {
  const name = textIn(fields, 'name', API_LIMITS.calledName, param);
  if (fields['namespace'] == null) return name;
  return upstreamName({ name, namespace: textIn(fields, 'namespace', API_LIMITS.functionName, param) });
}

/** How a text begins that OpenAI encrypted. It alone can read it. */
const ENCRYPTED = /^gAAAA[\w-]{20}/;

/** Stands for it in a conversation that began there. */
const UNREADABLE = '(This message is encrypted for another server.)';

/**
 * What an agent of the client wrote to another one, as a message of the user. OpenAI encrypts it, and clients pass on any
 * text of such an agent as encrypted: one of a model of this server is the text itself.
 * @throws AppError `invalid` naming the part
 */
async function agentMessage({ content }: Fields, param: string, slices: Slices): Promise<ChatCompletionMessage> {
  if (typeof content === 'string') return { role: 'user', content };
  const field = `${param}.content`;
  if (!Array.isArray(content) || content.length > API_LIMITS.parts)
    throw invalidField(
      field,
      `content must be a text or a list of up to ${API_LIMITS.parts.toLocaleString('en')} parts`,
    );
  let text = '';
  let at = 0;
  for await (const part of inSlices(content, slices)) {
    const read = agentText(part);
    if (read === null) throw invalidField(`${field}.${at}`, 'Parts must be input_text or encrypted_content');
    text += read;
    at += 1;
  }
  return { role: 'user', content: text };
}

function agentText(part: unknown): string | null {
  const { type, text, encrypted_content: encrypted } = isFields(part) ? part : {};
  if (type === 'encrypted_content' && typeof encrypted === 'string')
    return ENCRYPTED.test(encrypted) ? UNREADABLE : encrypted;
  return textParts.includes(type) && typeof text === 'string' ? text : null;
}

async function toChatMessage({ role, content }: Fields, param: string, slices: Slices): Promise<ChatCompletionMessage> {
  const known = ROLES.find((one) => one === role);
  if (known === undefined) throw invalidField(`${param}.role`, `role must be ${ROLES.join(', ')}`);
  const field = `${param}.content`;
  if (typeof content === 'string') return { role: known, content };
  // An answer that ended before its first word.
  const isEmpty = content === null || (Array.isArray(content) && content.length === 0);
  if (known === 'assistant' && isEmpty) return { role: known, content: '' };
  if (!Array.isArray(content) || content.length === 0)
    throw invalidField(field, 'content must be a text or a list of parts, which is not empty');
  const parts = await toParts(content, known === 'user', field, slices);
  if (known === 'user') return { role: known, content: parts };
  return { role: known, content: textOf({ role: known, content: parts }) };
}

async function toParts(
  given: readonly unknown[],
  mayHaveImages: boolean,
  param: string,
  slices: Slices,
): Promise<ChatCompletionPart[]> {
  if (given.length > API_LIMITS.parts)
    throw invalidField(param, `A list of parts must have at most ${API_LIMITS.parts.toLocaleString('en')} of them`);
  const parts: ChatCompletionPart[] = [];
  for await (const part of inSlices(given, slices))
    parts.push(await toPart(part, mayHaveImages, `${param}.${parts.length}`, slices));
  return parts;
}

async function toPart(part: unknown, mayBeImage: boolean, param: string, slices: Slices): Promise<ChatCompletionPart> {
  const { type, text, refusal, image_url, detail } = (part ?? {}) as Fields;
  if (textParts.includes(type) && typeof text === 'string') return { type: 'text', text };
  if (type === 'refusal' && typeof refusal === 'string') return { type: 'text', text: refusal };
  if (type === 'input_file' && mayBeImage) return { type: 'file', file: fileOf(part as Fields, param) };
  if (!IMAGE_PARTS.includes(type) || !mayBeImage)
    throw invalidField(
      param,
      'Parts must be input_text, of the user and of results also input_image and input_file, of the assistant output_text',
    );
  const image = isFields(image_url) ? image_url : { url: image_url, detail };
  const url = await imageUrl(image['url'], `${param}.image_url`, slices);
  if (url === null) throw invalidField(`${param}.image_url`, IMAGE_RULE);
  return {
    type: 'image_url',
    image_url: { url, ...presentFields({ detail: imageDetail(image['detail'], `${param}.detail`) }) },
  };
}

/** Only files that are sent with the request are read. They are validated when they are read. */
function fileOf({ file_data, filename, file_id: id, file_url: url }: Fields, param: string): RequestFile {
  if (id !== undefined && id !== null)
    throw invalidField(`${param}.file_id`, 'file_id is not supported. Please send file_data.');
  if (url !== undefined && url !== null)
    throw invalidField(`${param}.file_url`, 'file_url is not supported. Please send file_data.');
  if (typeof file_data !== 'string') throw invalidField(`${param}.file_data`, 'A file needs file_data in base64');
  return { file_data, ...(typeof filename === 'string' && { filename }) };
}

/** The result of a call: a text, or a list of texts and images. */
async function outputOf(output: unknown, param: string, slices: Slices): Promise<string | ChatCompletionPart[]> {
  const content = await resultContent(output, param, slices);
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) throw invalidField(param, 'output must be a text or a list of parts');
  return toParts(content, true, param, slices);
}
