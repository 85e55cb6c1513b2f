import type {
  ChatCompletionMessage,
  ChatCompletionRequest,
  FunctionTool,
  ReasoningEffort,
  ResponseFormat,
  ToolChoiceField,
} from '@tanya/contract';
import { invalidField } from '../../platform/errors/app-error.js';
import { presentFields } from '../../platform/http/present-fields.js';
import { type Fields, isFields } from '../../platform/json/fields.js';
import { effortOfBudget } from '../answers/chat-parameters.js';
import { isEmptyList, refuseFields } from '../json-fields.js';
import { THREAD } from '../public-api-error.js';
import { knownTool } from './known-tools.js';
import type { CountedMessagesDto, MessageRequestDto, MessageToolDto } from './message-request.dto.js';

const UNSUPPORTED_IN_MESSAGES = {
  container: isEmptyList,
  mcp_servers: isEmptyList,
  [THREAD]: isEmptyList,
  // Its answer would be a summary and nothing else.
  compaction: () => false,
};

/** @throws AppError `invalid` naming the field */
export const refuseForMessages = (body: Fields): void => refuseFields(body, UNSUPPORTED_IN_MESSAGES);

/**
 * Tools of Anthropic's servers that a model can do without: a search of the web, its pages, the advice of another model, and a
 * search for tools, which are all in its request.
 */
const AT_ANTHROPIC = /^(web_search|web_fetch|advisor|tool_search_tool)_/;

const runsAtAnthropic = (tool: unknown): boolean =>
  isFields(tool) && typeof tool['type'] === 'string' && AT_ANTHROPIC.test(tool['type']);

/**
 * A body without such tools beside others, as for Responses, and with the changes of its tools within the conversation. One
 * that is alone stays, and is refused by its name. A choice of chat completions becomes one of Anthropic's.
 */
export function withAnthropicTools(body: Fields): Fields {
  const { tools, tool_choice: choice, messages } = body;
  const given = listIn(tools);
  const changed = withChanges(given.map(toMessageTool), messages);
  const offered = [...given, ...changed].every(runsAtAnthropic)
    ? changed
    : changed.filter((tool) => !runsAtAnthropic(tool));
  return {
    ...body,
    ...((Array.isArray(tools) || offered.length > 0) && { tools: offered }),
    ...(choice === undefined ? {} : { tool_choice: toMessageChoice(choice) }),
  };
}

const listIn = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

const nameIn = (tool: unknown): unknown => (isFields(tool) ? tool['name'] : undefined);

/** The tools at the end of a conversation, which may define more of them, withdraw some and offer these again. */
function withChanges(tools: unknown[], messages: unknown): unknown[] {
  const defined = new Map<unknown, unknown>();
  const withdrawn = new Set<unknown>();
  for (const { type, tool } of changesIn(messages)) {
    const given = isFields(tool) ? tool['definition'] : undefined;
    const definition = isFields(given) && !runsAtAnthropic(given) ? toMessageTool(given) : undefined;
    const name = nameIn(definition ?? tool);
    if (type === 'tool_removal') withdrawn.add(name);
    else withdrawn.delete(name);
    if (definition !== undefined) defined.set(name, definition);
  }
  return [...tools.filter((tool) => !defined.has(nameIn(tool))), ...defined.values()].filter(
    (tool) => !withdrawn.has(nameIn(tool)),
  );
}

/** The changes in messages of the system, and in summaries, which have those of the messages that they stand for. */
const changesIn = (messages: unknown): Fields[] =>
  listIn(messages)
    .flatMap((message) => (isFields(message) ? listIn(message['content']) : []))
    .flatMap((block) => (isFields(block) ? [block, ...listIn(block['tool_changes'])] : []))
    .filter(isToolChange);

/** Whether a block defines, offers or withdraws a tool, which is no text of its message. */
export const isToolChange = (block: unknown): block is Fields =>
  isFields(block) && (block['type'] === 'tool_addition' || block['type'] === 'tool_removal');

const ANTHROPIC_MODES: Readonly<Record<string, string>> = { auto: 'auto', none: 'none', any: 'any', required: 'any' };

function toMessageChoice(choice: unknown): unknown {
  if (typeof choice === 'string')
    return Object.hasOwn(ANTHROPIC_MODES, choice) ? { type: ANTHROPIC_MODES[choice] } : choice;
  if (!isFields(choice)) return choice;
  const { type, name, function: called } = choice;
  if (type === 'required') return { ...choice, type: 'any' };
  return type === 'function' ? { ...choice, type: 'tool', name: isFields(called) ? called['name'] : name } : choice;
}

/** A tool of Anthropic's form of one of chat completions, or of one that the client runs and Anthropic's models know. */
function toMessageTool(tool: unknown): unknown {
  if (!isFields(tool)) return tool;
  const known = typeof tool['type'] === 'string' ? knownTool(tool['type']) : undefined;
  if (known !== undefined) return { ...known, name: tool['name'] ?? known.name };
  if (!isFields(tool['function'])) return tool;
  const { name, description, parameters, strict } = tool['function'];
  return { name, description, input_schema: parameters, strict };
}

/** Whether the client reads the reasoning. */
export const showsThinking = ({ thinking }: CountedMessagesDto): boolean =>
  thinking !== undefined && !isThinkingOff({ thinking }) && thinking.display !== 'omitted';

type EitherRequest = CountedMessagesDto & Partial<MessageRequestDto>;

/** The request as one for a chat completion. @throws AppError `invalid` naming the field */
export function fromAnthropicRequest(request: EitherRequest, messages: ChatCompletionMessage[]): ChatCompletionRequest {
  const { model, max_tokens, temperature, top_p, top_k, stop_sequences: stop } = request;
  const choice = request.tool_choice;
  return {
    model,
    messages,
    ...presentFields({
      max_tokens,
      temperature,
      top_p,
      top_k,
      stop: stop?.length ? stop : undefined,
      tools: request.tools?.map(toFunction),
      tool_choice: choice === undefined ? undefined : toChoice(choice),
      parallel_tool_calls: choice?.disable_parallel_tool_use === true ? false : undefined,
      reasoning_effort: effortOf(request),
      response_format: formatOf(request),
      fallback: request.fallback,
    }),
  };
}

/** Chat completions give a schema a name, which Anthropic's API does not have. */
function formatOf({ output_config: config, output_format }: CountedMessagesDto): ResponseFormat | undefined {
  const format = config?.format ?? output_format;
  return format && { type: 'json_schema', json_schema: { name: 'answer', schema: format.schema, strict: true } };
}

const toFunction = ({ name, description, input_schema: parameters, strict }: MessageToolDto): FunctionTool => ({
  type: 'function',
  function: { name, ...presentFields({ description, parameters, strict }) },
});

function toChoice({ type, name }: NonNullable<CountedMessagesDto['tool_choice']>): ToolChoiceField {
  if (type === 'any') return 'required';
  if (type !== 'tool') return type;
  if (name === undefined) throw invalidField('tool_choice.name', 'tool_choice.name must name a tool');
  return { type: 'function', function: { name } };
}

/** Whether the model is not to think. LangChain says so by default, and to models that never do. */
export const isThinkingOff = ({ thinking }: Pick<CountedMessagesDto, 'thinking'>): boolean =>
  thinking?.type === 'disabled';

function effortOf({ thinking, output_config: config, messages }: CountedMessagesDto): ReasoningEffort | undefined {
  if (isThinkingOff({ thinking })) return undefined;
  const changed = messages.findLast(({ output_config: own }) => own?.effort !== undefined);
  const effort = changed?.output_config?.effort ?? config?.effort;
  if (effort !== undefined) return effort;
  const budget = thinking?.budget_tokens;
  return budget ? effortOfBudget(budget) : undefined;
}
