import {
  API_LIMITS,
  type ChatCompletionMessage,
  type ChatCompletionRequest,
  type ResponseFormat,
  type ResponseSettings,
} from '@tanya/contract';
import { invalidField } from '../../platform/errors/app-error.js';
import { toolsNamed } from '../answers/chat-parameters.js';
import { type Fields, isFields } from '../../platform/json/fields.js';
import { presentFields } from '../../platform/http/present-fields.js';
import type { ResponseRequestDto, ResponseToolDto } from './response-request.dto.js';
import { isEmptyList, refuseFields } from '../json-fields.js';
import { upstreamName, upstreamTools } from './response-tools.js';

/** See `refuseFields`. */
const UNSUPPORTED_IN_RESPONSES: Record<string, (value: unknown) => boolean> = {
  background: (value) => value === false,
  conversation: () => false,
  prompt: () => false,
  top_logprobs: (value) => value === 0,
  // Of chat completions, which have them.
  n: (value) => value === 1,
  stop: isEmptyList,
  logit_bias: (value) => isFields(value) && Object.keys(value).length === 0,
  enable_thinking: () => false,
  thinking: () => false,
  chat_template_kwargs: () => false,
};

const TOOLS = new Set(['function', 'custom', 'namespace', 'tool_search']);

const KIND = /^[a-z0-9_]{1,64}$/;

/** @throws AppError `invalid` naming the field, or the kind of tool */
export function refuseForResponses(body: Fields): void {
  refuseFields(body, UNSUPPORTED_IN_RESPONSES);
  const tools: unknown[] = Array.isArray(body['tools']) ? body['tools'] : [];
  tools.forEach((tool, index) => {
    const { type } = (tool ?? {}) as { type?: unknown };
    if (typeof type === 'string' && !TOOLS.has(type) && KIND.test(type))
      throw invalidField(`tools.${index}.type`, `${type} is not supported. Please use tools of the type function.`);
  });
}

/** A body with the settings that clients send under their names in chat completions. Those of Responses count first. */
export function withResponseNames(body: Fields): Fields {
  const { text, reasoning, response_format: format, reasoning_effort: effort } = body;
  const limit = body['max_output_tokens'] ?? body['max_completion_tokens'] ?? body['max_tokens'];
  const hasForm = isFields(text) ? text['format'] != null : text != null;
  return {
    ...body,
    ...(limit != null && { max_output_tokens: limit }),
    ...(isFields(format) && !hasForm && { text: { ...(text as object | null), format: formIn(format) } }),
    ...(effort != null && reasoning == null && { reasoning: { effort } }),
  };
}

/** The form of an answer, whose schema stands beside its type. */
const formIn = ({ json_schema: schema, ...form }: Fields): Fields => (isFields(schema) ? { ...schema, ...form } : form);

/** The settings that items of an input change. */
const CONFIGURED = [
  ['reasoning', 'effort'],
  ['text', 'format'],
] as const;

/** Whether an item of an input does nothing but change settings. */
export const onlyConfigures = (item: unknown): item is Fields =>
  isFields(item) && item['type'] === 'configuration_update';

/**
 * A body with the settings that its input changes: clients raise the effort within a conversation so that its beginning
 * stays as it was. The last item with a setting counts.
 */
export function withConfiguration(body: Fields): Fields {
  const { input } = body;
  if (!Array.isArray(input) || input.length > API_LIMITS.inputItems) return body;
  const updates = input.filter(onlyConfigures);
  const changed = { ...body };
  for (const [field, setting] of CONFIGURED) {
    // Validation names a value of another form.
    const isSet = (value: unknown): boolean => value != null && (!isFields(value) || setting in value);
    const update = updates.findLast((each) => isSet(each[field]))?.[field];
    const now = body[field] ?? {};
    if (isFields(update) && isFields(now)) changed[field] = { ...now, [setting]: update[setting] };
    else if (update !== undefined && !isFields(update)) changed[field] = update;
  }
  return changed;
}

/** The chat completion that answers a request. Instructions of earlier responses are not repeated, as in OpenAI's API. */
export function fromResponseRequest(
  request: ResponseRequestDto,
  messages: ChatCompletionMessage[],
): ChatCompletionRequest {
  const { model, instructions, temperature, top_p, presence_penalty, frequency_penalty, parallel_tool_calls } = request;
  const system: ChatCompletionMessage[] = instructions ? [{ role: 'system', content: instructions }] : [];
  return {
    messages: [...system, ...messages],
    ...presentFields({
      model,
      temperature,
      top_p,
      presence_penalty,
      frequency_penalty,
      parallel_tool_calls,
      max_completion_tokens: request.max_output_tokens,
      reasoning_effort: request.reasoning?.effort,
      verbosity: request.text?.verbosity,
      response_format: formatOf(request),
      fallback: request.fallback,
      ...toolsOf(request),
    }),
  };
}

function toolsOf({ tools: given, tool_choice: choice }: ResponseRequestDto): ChatTools {
  const tools = given && upstreamTools(given);
  if (typeof choice !== 'object') return { tools, tool_choice: choice };
  if (choice.type !== 'allowed_tools')
    return { tools, tool_choice: { type: 'function', function: { name: chosenName(choice) } } };
  const offered = toolsNamed(tools ?? [], choice.tools.map(chosenName), 'tool_choice.tools');
  return { tools: offered, tool_choice: choice.mode ?? 'auto' };
}

type ChatTools = Pick<ChatCompletionRequest, 'tools' | 'tool_choice'>;

const chosenName = ({ name, namespace }: { name: string; namespace?: string | null }): string =>
  upstreamName({ name, namespace: namespace ?? undefined });

function formatOf({ text }: ResponseRequestDto): ResponseFormat | undefined {
  const format = text?.format;
  if (format?.type !== 'json_schema') return format === undefined ? undefined : { type: format.type };
  const { name, description, schema, strict } = format;
  return { type: 'json_schema', json_schema: { name, ...presentFields({ description, schema, strict }) } };
}

/** A tool as a response repeats it: a function has all of its fields. */
const repeated = (tool: ResponseToolDto): object =>
  tool.type === 'function' ? { description: null, parameters: null, strict: null, ...presentFields(tool) } : tool;

/** The request for a summary: what forms an answer is left out. */
export const toSummaryRequest = (request: ResponseRequestDto): ResponseRequestDto => ({
  ...request,
  tools: undefined,
  tool_choice: undefined,
  parallel_tool_calls: undefined,
  text: undefined,
});

/** @param model the model that answers */
export const settingsOf = (request: ResponseRequestDto, model: string): ResponseSettings => ({
  model,
  instructions: request.instructions ?? null,
  frequency_penalty: request.frequency_penalty ?? 0,
  max_output_tokens: request.max_output_tokens ?? null,
  parallel_tool_calls: request.parallel_tool_calls ?? true,
  presence_penalty: request.presence_penalty ?? 0,
  previous_response_id: request.previous_response_id ?? null,
  reasoning: { effort: request.reasoning?.effort ?? null, summary: null },
  store: request.store ?? true,
  temperature: request.temperature ?? null,
  text: {
    format: presentFields({ ...(request.text?.format ?? { type: 'text' }) }),
    ...presentFields({ verbosity: request.text?.verbosity }),
  },
  tool_choice: request.tool_choice ?? 'auto',
  tools: (request.tools ?? []).map(repeated),
  top_p: request.top_p ?? null,
});
