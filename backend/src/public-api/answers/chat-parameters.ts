import {
  type AllowedTools,
  API_LIMITS,
  type ChatCompletionRequest,
  type FunctionTool,
  LIMITS,
  type ReasoningEffort,
  type Sampling,
  type ToolChoiceField,
} from '@tanya/contract';
import type { ClientTools } from '../../chat/generation/live/run-spec.js';
import { type AppError, invalidField } from '../../platform/errors/app-error.js';
import { presentFields } from '../../platform/http/present-fields.js';
import { isFields } from '../../platform/json/fields.js';
import { sha256Hex } from '../../platform/secrets/sha256.js';
import type { ProviderTool, ToolChoice } from '../../providers/provider.js';

/** All sampling parameters. Hashes of requests follow this order. */
const PARAMETERS = Object.keys({
  temperature: true,
  top_p: true,
  presence_penalty: true,
  frequency_penalty: true,
  stop: true,
  seed: true,
  response_format: true,
  logit_bias: true,
  verbosity: true,
  top_k: true,
  min_p: true,
  repetition_penalty: true,
  chat_template_kwargs: true,
  min_tokens: true,
  stop_token_ids: true,
  continue_final_message: true,
  add_generation_prompt: true,
  enable_thinking: true,
  thinking: true,
  thinking_budget: true,
  guided_json: true,
  guided_regex: true,
  guided_choice: true,
  guided_grammar: true,
  structured_outputs: true,
  grammar: true,
  n: true,
  logprobs: true,
  top_logprobs: true,
} satisfies Record<keyof Sampling, true>) as (keyof Sampling)[];

/** The sampling parameters, passed to the provider unchanged. @throws AppError `invalid` naming the field */
export function samplingOf(request: ChatCompletionRequest): Sampling {
  const given: Sampling = Object.fromEntries(PARAMETERS.map((name) => [name, request[name]]));
  const { stop, stop_token_ids, response_format, logit_bias, n, top_logprobs } = given;
  const logprobs = given.logprobs || undefined;
  if (logprobs === undefined && top_logprobs)
    throw invalidField('top_logprobs', 'top_logprobs needs logprobs. Please set it to true.');
  return presentFields({
    ...given,
    // Some servers refuse an empty list.
    stop: stop?.length === 0 ? undefined : stop,
    stop_token_ids: stop_token_ids?.length === 0 ? undefined : stop_token_ids,
    response_format: response_format?.type === 'text' ? undefined : response_format,
    logit_bias: Object.keys(logit_bias ?? {}).length > 0 ? logit_bias : undefined,
    n: n === 1 ? undefined : n,
    logprobs,
    top_logprobs: logprobs && top_logprobs,
  });
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

const HASH_CHARACTERS = 8;

/** The name of a function at the provider, of which OpenAI takes 64 characters. A longer one ends in its hash. */
export function shortName(name: string): string {
  const { max } = LIMITS.toolName;
  if (name.length <= max) return name;
  return `${name.slice(0, max - HASH_CHARACTERS - 1)}_${sha256Hex(name).slice(0, HASH_CHARACTERS)}`;
}

/** The names of functions that are longer than those at the provider, by the latter. */
export const longNames = (tools: readonly FunctionTool[] = []): ReadonlyMap<string, string> =>
  new Map(
    tools.map(({ function: { name } }) => [shortName(name), name] as const).filter(([short, name]) => short !== name),
  );
