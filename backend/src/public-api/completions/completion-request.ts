import {
  type AllowedTools,
  API_LIMITS,
  type ChatCompletionRequest,
  type FunctionTool,
  type ReasoningEffort,
  REASONING_EFFORTS,
  type Sampling,
  type ToolChoiceField,
} from '@tanya/contract';
import type { ClientTools } from '../../chat/generation/detached/detached-request.js';
import { type AppError, invalidField } from '../../platform/errors/app-error.js';
import { presentFields } from '../../platform/http/present-fields.js';
import { type Fields, isFields } from '../../platform/json/fields.js';
import type { ProviderTool, ToolChoice } from '../../providers/provider.js';
import { isEmptyList, refuseFields } from '../json-fields.js';
import { shortName } from './short-name.js';

/** See `refuseFields`. */
const UNSUPPORTED: Record<string, (value: unknown) => boolean> = {
  functions: isEmptyList,
  function_call: (value) => value === 'none',
  prediction: () => false,
  web_search_options: () => false,
  audio: () => false,
  modalities: (value) => Array.isArray(value) && value.length === 1 && value[0] === 'text',
  // Of vLLM, Qwen, xAI, Cohere and Ollama, and what belongs to the field beside it.
  best_of: (value) => value === 1,
  use_beam_search: (value) => value === false,
  enable_search: (value) => value === false,
  search_parameters: (value) => isFields(value) && value['mode'] === 'off',
  documents: isEmptyList,
  format: (value) => value === '',
  extra_body: (value) => isFields(value) && Object.keys(value).length === 0,
};

/** @throws AppError `invalid` naming the field */
export const refuseUnsupported = (body: Fields): void => refuseFields(body, UNSUPPORTED);

/** The sampling parameters, passed to the provider unchanged. @throws AppError `invalid` naming the field */
export function samplingOf(request: ChatCompletionRequest): Sampling {
  const { temperature, top_p, presence_penalty, frequency_penalty, stop, seed, verbosity } = request;
  const { top_k, min_p, repetition_penalty, chat_template_kwargs, min_tokens } = request;
  const { stop_token_ids, continue_final_message, add_generation_prompt } = request;
  const { enable_thinking, thinking, thinking_budget } = request;
  const { guided_json, guided_regex, guided_choice, guided_grammar, structured_outputs, grammar } = request;
  const n = request.n === 1 ? undefined : request.n;
  const logprobs = request.logprobs || undefined;
  if (logprobs === undefined && request.top_logprobs)
    throw invalidField('top_logprobs', 'top_logprobs needs logprobs. Please set it to true.');
  const top_logprobs = logprobs && request.top_logprobs;
  const biases = request.logit_bias ?? {};
  const logit_bias = Object.keys(biases).length > 0 ? biases : undefined;
  const format = request.response_format;
  const response_format = format?.type === 'text' ? undefined : format;
  return presentFields({
    temperature,
    top_p,
    presence_penalty,
    frequency_penalty,
    // Some servers refuse an empty list.
    stop: stop?.length === 0 ? undefined : stop,
    seed,
    response_format,
    logit_bias,
    verbosity,
    top_k,
    min_p,
    repetition_penalty,
    chat_template_kwargs,
    min_tokens,
    stop_token_ids: stop_token_ids?.length === 0 ? undefined : stop_token_ids,
    continue_final_message,
    add_generation_prompt,
    enable_thinking,
    thinking,
    thinking_budget,
    guided_json,
    guided_regex,
    guided_choice,
    guided_grammar,
    structured_outputs,
    grammar,
    n,
    logprobs,
    top_logprobs,
  });
}

/** A body with the settings that clients of Responses and of messages name otherwise. Those of chat completions count first. */
export function withChatNames(body: Fields): Fields {
  const { max_output_tokens: limit, stop_sequences: stops } = body;
  const hasLimit = [body['max_completion_tokens'], body['max_tokens']].some((own) => own != null && own !== -1);
  return {
    ...body,
    ...(limit != null && !hasLimit && { max_completion_tokens: limit }),
    ...(stops != null && body['stop'] == null && { stop: stops }),
  };
}

/** The text of a block, as messages have it, or a text alone. */
const textIn = (block: unknown): unknown => (isFields(block) ? block['text'] : block);

/** What clients of those APIs tell the model beside its messages: a text, or blocks of text. @returns undefined for nothing */
export function instructionsIn({ instructions, system }: Fields): string | undefined {
  const given = instructions || system;
  return (
    (Array.isArray(given) ? given : [given])
      .map(textIn)
      .filter((text) => typeof text === 'string' && text !== '')
      .join('\n\n')
      .toWellFormed() || undefined
  );
}

/** A body whose form of an answer has its schema where chat completions have it: clients of Responses have it beside the type. */
export function withNestedSchema(body: Fields): Fields {
  const { response_format: format } = body;
  if (!isFields(format) || format['type'] !== 'json_schema' || !isFields(format['schema'])) return body;
  const { type, name = 'answer', description, schema, strict, json_schema: own } = format;
  const form = isFields(own) ? { schema, ...own } : presentFields({ name, description, schema, strict });
  return { ...body, response_format: { type, json_schema: form } };
}

/** Budgets of thinking up to these many tokens have these efforts, as OpenRouter shares out an answer of 32,000 tokens. */
const BUDGETS: [most: number, effort: ReasoningEffort][] = [
  [0, 'none'],
  [6_400, 'low'],
  [16_000, 'medium'],
];

/** The effort of a budget of thinking, in tokens. */
export const effortOfBudget = (tokens: number): ReasoningEffort =>
  BUDGETS.find(([most]) => tokens <= most)?.[1] ?? 'high';

const OF_SWITCH = new Map<unknown, ReasoningEffort>([
  [true, 'medium'],
  [false, 'none'],
]);

/** The effort that clients of OpenRouter name in an object, and those of Ollama as `think`. One that is not known says nothing. */
function effortIn({ reasoning, think }: Fields): ReasoningEffort | undefined {
  // llama.cpp has the switch alone.
  const { effort, max_tokens: budget, enabled } = isFields(reasoning) ? reasoning : { enabled: reasoning };
  const named = REASONING_EFFORTS.find((each) => each === effort || each === think);
  if (named !== undefined) return named;
  if (typeof budget === 'number' && enabled !== false) return effortOfBudget(budget);
  return OF_SWITCH.get(enabled) ?? OF_SWITCH.get(think);
}

/** The effort of a body in the words of other servers, where the request has none of its own. */
export const effortInOtherWords = (
  { reasoning_effort: own }: ChatCompletionRequest,
  body: Fields,
): ReasoningEffort | undefined => (own === undefined ? effortIn(body) : undefined);

/** The functions that the client runs, and how the model may call them. @returns undefined without tools @throws AppError `invalid` naming the field */
export function clientToolsOf(request: ChatCompletionRequest): ClientTools | undefined {
  const { tools: given = [], tool_choice: chosen, parallel_tool_calls: parallelToolCalls } = request;
  if (!areWithin(given, API_LIMITS.toolsCharacters)) throw tooLongTools();
  const [tools, choice] = allowedOf(given, chosen);
  requireChoosable(choice, tools);
  if (tools.length === 0) return undefined;
  const toolChoice = choice === undefined ? undefined : toProviderChoice(choice);
  return presentFields({ tools: tools.map(toProviderTool), toolChoice, parallelToolCalls });
}

export const tooLongTools = (): AppError =>
  invalidField('tools', `tools must have at most ${API_LIMITS.toolsCharacters} characters of JSON`);

/** Whether tools have at most a number of characters as JSON. The rest of a longer list is not written. */
function areWithin(tools: readonly FunctionTool[], most: number): boolean {
  let characters = 1;
  return tools.every((tool) => (characters += JSON.stringify(tool).length + 1) <= most);
}

/** A choice without a list of allowed tools. */
type PlainChoice = Exclude<ToolChoiceField, AllowedTools>;

/** The tools that the model may call, and how. @throws AppError `invalid` for one that is not among the tools */
function allowedOf(
  tools: FunctionTool[],
  choice: ToolChoiceField | undefined,
): [FunctionTool[], PlainChoice | undefined] {
  if (typeof choice !== 'object' || choice.type !== 'allowed_tools') return [tools, choice];
  const { mode, tools: allowed } = choice.allowed_tools;
  const names = allowed.map((tool) => tool.function.name);
  return [toolsNamed(tools, names, 'tool_choice.allowed_tools.tools'), mode ?? 'auto'];
}

/** @param field of the names @throws AppError `invalid` for a name that no tool has */
export function toolsNamed(tools: readonly FunctionTool[], names: readonly string[], field: string): FunctionTool[] {
  const left = new Set(names);
  const named = tools.filter((tool) => left.delete(tool.function.name));
  const [unknown] = left;
  if (unknown !== undefined) throw invalidField(field, `${unknown} is not among the tools`);
  return named;
}

function requireChoosable(choice: PlainChoice | undefined, tools: readonly FunctionTool[]): void {
  if (choice === undefined || choice === 'none' || choice === 'auto') return;
  if (tools.length === 0) throw invalidField('tool_choice', 'tool_choice needs tools. Please add them.');
  if (choice === 'required' || tools.some(({ function: { name } }) => name === choice.function.name)) return;
  throw invalidField('tool_choice', 'tool_choice must name one of the tools');
}

const toProviderTool = ({ function: { name, description, parameters, strict } }: FunctionTool): ProviderTool => ({
  name: shortName(name),
  ...presentFields({ description, parameters: parameters && withProperties(parameters), strict }),
});

/** A schema without properties as one of an object that has none: some servers refuse `{}` and `{"type":"object"}`. */
function withProperties(schema: Record<string, unknown>): Record<string, unknown> {
  const isEmpty = Object.keys(schema).length === 0;
  const isBare = schema['type'] === 'object' && Object.keys(schema).length === 1;
  if (isEmpty || isBare) return { type: 'object', properties: {} };
  // Clients of older drafts leave the type to the properties.
  return isFields(schema['properties']) && schema['type'] == null ? { ...schema, type: 'object' } : schema;
}

const toProviderChoice = (choice: PlainChoice): ToolChoice =>
  typeof choice === 'string' ? choice : { name: shortName(choice.function.name) };
