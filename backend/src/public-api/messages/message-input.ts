import { API_LIMITS, type ChatCompletionMessage, type ChatCompletionPart, type FunctionCall } from '@tanya/contract';
import { invalidField } from '../../platform/errors/app-error.js';
import { inSlices, Slices } from '../../platform/system/slices.js';
import { presentFields } from '../../platform/http/present-fields.js';
import { isFields } from '../../platform/json/fields.js';
import { resultContent, writtenArguments } from '../answers/call-arguments.js';
import { placed, textOfParts } from '../answers/provider-messages.js';
import { quotedDocument } from '../../chat/generation/prompt/prompt-documents.js';
import { textIn } from '../json-fields.js';
import { isToolChange } from './message-request.js';
import type { CountedMessagesDto, InputMessageDto } from './message-request.dto.js';

type Block = Record<string, unknown>;

/**
 * Converts the messages and the system prompt to those of chat completions. Messages of one role that follow one another are
 * one turn: its calls belong to one message, and its results of tools, which are messages of their own, precede its other
 * blocks.
 * @throws AppError `invalid` naming the block
 */
export async function fromAnthropicMessages({
  system,
  messages,
}: CountedMessagesDto): Promise<ChatCompletionMessage[]> {
  const slices = new Slices();
  const converted: ChatCompletionMessage[] = [];
  const instructions = await systemText(system, 'system', slices);
  if (instructions !== '') converted.push(placed({ role: 'system', content: instructions }, 'system'));
  const lastOfUser = messages.findLastIndex(({ role }) => role === 'user');
  let nextResult = 0;
  for (const [index, message] of messages.entries()) {
    if (message.role === 'system' && message.clear_at === 'next_user_message' && index < lastOfUser) continue;
    const param = `messages.${index}.content`;
    for (const one of await toMessages(message, param, slices)) {
      const last = converted.at(-1);
      if (one.role === 'tool') converted.splice(nextResult, 0, placed(one, param));
      else if (one.role === 'assistant' && last?.role === 'assistant')
        converted.splice(-1, 1, placed(continued(last, one, param), param));
      else converted.push(placed(one, param));
      if (one.role === 'tool') nextResult += 1;
      else if (one.role !== 'user') nextResult = converted.length;
    }
  }
  return converted;
}

/** An answer and the one that follows it, as one. */
const continued = (last: ChatCompletionMessage, next: ChatCompletionMessage, param: string): ChatCompletionMessage =>
  toAnswer(
    {
      text: `${textOfAnswer(last)}${textOfAnswer(next)}`,
      reasoning: `${last.reasoning_content ?? ''}${next.reasoning_content ?? ''}`,
      calls: [...(last.tool_calls ?? []), ...(next.tool_calls ?? [])],
    },
    param,
  );

const textOfAnswer = ({ content }: ChatCompletionMessage): string => (typeof content === 'string' ? content : '');

async function toMessages(
  { role, content }: InputMessageDto,
  param: string,
  slices: Slices,
): Promise<ChatCompletionMessage[]> {
  if (role === 'system') {
    const text = await systemText(content, param, slices);
    return text === '' ? [] : [{ role, content: text }];
  }
  if (typeof content === 'string') return [{ role, content }];
  if (role === 'assistant') return [toAnswer(await answerIn(blocksOf(content, param), param, slices), param)];
  return toUserMessages(blocksOf(content, param), param, slices);
}

async function toUserMessages(
  blocks: readonly Block[],
  param: string,
  slices: Slices,
): Promise<ChatCompletionMessage[]> {
  const results: ChatCompletionMessage[] = [];
  const pictures: ChatCompletionPart[] = [];
  const parts: ChatCompletionPart[] = [];
  for await (const [index, block] of inSlices(blocks.entries(), slices)) {
    const own = `${param}.${index}`;
    if (block['type'] !== 'tool_result') {
      parts.push(...toParts(block, own));
      continue;
    }
    const given = (await resultContent(block['content'], `${own}.content`, slices)) ?? '';
    const inner =
      typeof given === 'string' ? [] : blocksOf(given, `${own}.content`).flatMap((one) => toParts(one, own));
    pictures.push(...inner.filter(({ type }) => type !== 'text'));
    const text = typeof given === 'string' ? given : textOfParts(inner);
    results.push({
      role: 'tool',
      tool_call_id: textIn(block, 'tool_use_id', API_LIMITS.toolCallId, own),
      content: block['is_error'] === true ? `Error: ${text}` : text,
    });
  }
  const rest = [...pictures, ...parts];
  // A message of an empty list is refused by its name.
  return rest.length > 0 || results.length === 0 ? [...results, { role: 'user', content: rest }] : results;
}

/** What Anthropic alone can read, and what its servers ran in an earlier part of the conversation: its text tells of it. */
const UNREADABLE_BLOCKS = /^(redacted_thinking|fallback|(server|mcp)_tool_use|mcp_tool_listing|.*_tool_result)$/;

const isUnreadableBlock = ({ type }: Block): boolean => typeof type === 'string' && UNREADABLE_BLOCKS.test(type);

interface Answer {
  text: string;
  reasoning: string;
  calls: FunctionCall[];
}

async function answerIn(blocks: readonly Block[], param: string, slices: Slices): Promise<Answer> {
  const calls: FunctionCall[] = [];
  let text = '';
  let reasoning = '';
  for await (const [index, block] of inSlices(blocks.entries(), slices)) {
    const own = `${param}.${index}`;
    if (block['type'] === 'tool_use') calls.push(await toCall(block, own, slices));
    else if (block['type'] === 'compaction') text += typeof block['content'] === 'string' ? block['content'] : '';
    else if (block['type'] === 'thinking') reasoning += textIn(block, 'thinking', API_LIMITS.reasoning, own, 0);
    else if (!isUnreadableBlock(block)) text += textIn(textBlock(block, own), 'text', Infinity, own, 0);
  }
  return { text, reasoning, calls };
}

function toAnswer({ text, reasoning, calls }: Answer, param: string): ChatCompletionMessage {
  if (calls.length > API_LIMITS.toolCalls)
    throw invalidField(param, `A message must have at most ${API_LIMITS.toolCalls} calls`);
  const content = text === '' && calls.length > 0 ? null : text;
  return {
    role: 'assistant',
    content,
    ...presentFields({
      tool_calls: calls.length > 0 ? calls : undefined,
      reasoning_content: reasoning === '' ? undefined : reasoning.slice(0, API_LIMITS.reasoning),
    }),
  };
}

async function toCall(block: Block, param: string, slices: Slices): Promise<FunctionCall> {
  const input = block['input'] ?? {};
  if (typeof input !== 'object' || Array.isArray(input))
    throw invalidField(`${param}.input`, 'input must be an object');
  const json = await writtenArguments(input, `${param}.input`, slices);
  return {
    id: textIn(block, 'id', API_LIMITS.toolCallId, param),
    type: 'function',
    function: { name: textIn(block, 'name', API_LIMITS.calledName, param), arguments: json },
  };
}

function toParts(block: Block, param: string): ChatCompletionPart[] {
  if (block['type'] === 'search_result') return searchResultParts(block, param);
  if (block['type'] === 'tool_reference')
    return [{ type: 'text', text: textIn(block, 'tool_name', API_LIMITS.calledName, param) }];
  const source = (block['source'] ?? {}) as Block;
  if (block['type'] === 'document') return documentParts(block, source, param);
  // As of chat completions.
  if (block['type'] === 'image_url') {
    const image = block['image_url'];
    const url = isFields(image) ? image['url'] : image;
    if (typeof url === 'string') return [{ type: 'image_url', image_url: { url } }];
  }
  if (block['type'] === 'image') {
    const { type, media_type: media, data, url } = source;
    if (type === 'base64' && typeof media === 'string' && typeof data === 'string')
      return [{ type: 'image_url', image_url: { url: `data:${media};base64,${data}` } }];
    if (type === 'url' && typeof url === 'string') return [{ type: 'image_url', image_url: { url } }];
    throw invalidField(`${param}.source`, 'source must have base64 data with its media_type, or a url');
  }
  return [{ type: 'text', text: textIn(textBlock(block, param), 'text', Infinity, param, 0) }];
}

/** A document with its title and what the client says about it. Blocks in it are text and images. */
function documentParts({ title, context }: Block, source: Block, param: string): ChatCompletionPart[] {
  const { type, media_type: media, data, content } = source;
  const remark: ChatCompletionPart[] = typeof context === 'string' && context ? [{ type: 'text', text: context }] : [];
  const name = typeof title === 'string' && title !== '' ? title : undefined;
  if (type === 'base64' && typeof data === 'string') {
    const file_data = `data:${typeof media === 'string' ? media : ''};base64,${data}`;
    return [...remark, { type: 'file', file: { file_data, filename: name ?? defaultName(media) } }];
  }
  const text = type === 'content' ? content : data;
  if ((type === 'text' || type === 'content') && typeof text === 'string')
    return [...remark, { type: 'text', text: quotedDocument(name ?? 'document.txt', text) }];
  if (type === 'content') {
    const inner = blocksOf(content, `${param}.source.content`).filter((block) => block['type'] !== 'document');
    return [...remark, ...inner.flatMap((block) => toParts(block, `${param}.source.content`))];
  }
  const named = typeof type === 'string' ? type.slice(0, 100) : 'without a type';
  throw invalidField(`${param}.source`, `A document source ${named} is not supported. Please send base64 or text.`);
}

/** A page or passage that the client found, with its title and address. */
function searchResultParts({ title, source, content }: Block, param: string): ChatCompletionPart[] {
  const label = [title, source].filter((each) => typeof each === 'string' && each !== '').join(', ');
  const texts = blocksOf(content, `${param}.content`).map((block) =>
    textIn(textBlock(block, `${param}.content`), 'text', Infinity, `${param}.content`, 0),
  );
  return [{ type: 'text', text: quotedDocument(label || 'search result', texts.join('\n\n')) }];
}

/** PDFs mostly come without a title. */
const defaultName = (media: unknown): string => (media === 'application/pdf' ? 'document.pdf' : 'document');

function textBlock(block: Block, param: string): Block {
  if (block['type'] === 'text') return block;
  const type = typeof block['type'] === 'string' ? block['type'].slice(0, 100) : 'without a type';
  throw invalidField(`${param}.type`, `Blocks of the type ${type} are not supported here. Please remove it.`);
}

/** Claude Code's first line for the system. It differs in each request, so that no provider would find the prompt in its cache. */
const BILLING_LINE = /^x-anthropic-billing-header:[^\n]*\n*/;

/** What is said to the system: nothing, a text, or a list of blocks of text. */
async function systemText(content: unknown, param: string, slices: Slices): Promise<string> {
  if (typeof content === 'string') return content.replace(BILLING_LINE, '');
  const texts: string[] = [];
  for await (const [index, block] of inSlices(blocksOf(content ?? [], param).entries(), slices)) {
    const own = `${param}.${index}`;
    if (!isToolChange(block)) texts.push(textIn(textBlock(block, own), 'text', Infinity, own, 0));
  }
  return texts.join('\n\n').replace(BILLING_LINE, '');
}

function blocksOf(content: unknown, param: string): Block[] {
  if (!Array.isArray(content) || content.length > API_LIMITS.parts)
    throw invalidField(param, `content must be a text or a list of up to ${API_LIMITS.parts} blocks`);
  if (!content.every((block) => typeof block === 'object' && block !== null))
    throw invalidField(param, 'Each block of content must be an object');
  return content as Block[];
}
