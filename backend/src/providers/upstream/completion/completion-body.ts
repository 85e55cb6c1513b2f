import type { ReasoningEffort } from '@tanya/contract';
import type OpenAI from 'openai';
import type { Fields } from '../../../platform/json/fields.js';
import type {
  ExtraContent,
  ProviderMessage,
  ProviderPart,
  ProviderRequest,
  ProviderTool,
  ProviderToolCall,
  ToolChoice,
} from '../../provider.js';
import { ProviderError } from '../../provider-error.js';
import { isThinkingBlock } from './reasoning-details.js';

/** OpenRouter's forms of the reasoning effort, of reasoning and of its own tools are not part of OpenAI's types. */
type Body = Omit<OpenAI.ChatCompletionCreateParamsStreaming, 'reasoning_effort' | 'tools'> & {
  tools?: (OpenAI.ChatCompletionTool | Readonly<Record<string, unknown>>)[];
  reasoning?: Reasoning;
  reasoning_effort?: ReasoningEffort;
};
type Reasoning = { effort: ReasoningEffort } | { max_tokens: number } | { enabled: boolean };
type ImageUrl = OpenAI.ChatCompletionContentPartImage.ImageURL;
type Part = OpenAI.ChatCompletionContentPart;

/** Audio types that OpenAI's format supports. An upstream refuses other types without a reason. */
const AUDIO_FORMATS: Record<string, 'wav' | 'mp3'> = {
  'audio/wav': 'wav',
  'audio/wave': 'wav',
  'audio/x-wav': 'wav',
  'audio/vnd.wave': 'wav',
  'audio/mpeg': 'mp3',
  'audio/mp3': 'mp3',
};

/** What differs between kinds of connections. */
export interface CompletionBodyOptions {
  /** OpenAI's newer models refuse `max_tokens`; most other servers support no other name. */
  usesNewLimitName?: boolean;
  /** Field of the reasoning effort: `reasoning.effort` at OpenRouter, `reasoning_effort` elsewhere. */
  effortField?: 'reasoning' | 'reasoning_effort';
}

/** Builds the request body of a streamed completion. No other fields are sent to the upstream. */
export function completionBody(request: ProviderRequest, options: CompletionBodyOptions = {}): Body {
  const limit = options.usesNewLimitName
    ? { max_completion_tokens: request.maxTokens }
    : { max_tokens: request.maxTokens };
  return {
    model: request.model,
    messages: request.messages.map(namedMessageOf),
    stream: true,
    stream_options: { include_usage: true },
    ...request.sampling,
    ...(request.maxTokens === undefined ? {} : limit),
    ...(options.effortField === 'reasoning' ? reasoningOf(request) : effortOf(request.reasoningEffort)),
    ...toolsOf(request),
  };
}

const effortOf = (effort: ReasoningEffort | undefined): Pick<Body, 'reasoning_effort'> =>
  effort === undefined ? {} : { reasoning_effort: effort };

const SWITCHES = new Map<unknown, boolean>([
  ['enabled', true],
  ['adaptive', true],
  ['disabled', false],
]);

/** OpenRouter's form of the effort and of the switches of other servers, which it would ignore. */
function reasoningOf({ reasoningEffort: effort, sampling = {} }: ProviderRequest): object {
  const { enable_thinking: isOn, thinking = {}, thinking_budget: most } = sampling;
  const switched = SWITCHES.get(thinking['type']) ?? isOn;
  const budget = thinking['budget_tokens'] ?? most;
  // A budget of 0 is none, and one of -1 leaves it to the model.
  const isOnByBudget = typeof budget === 'number' ? (switched ?? budget !== 0) : switched;
  const isBudget = typeof budget === 'number' && budget > 0 && isOnByBudget;
  const others = isBudget ? { max_tokens: budget } : isOnByBudget === undefined ? undefined : { enabled: isOnByBudget };
  const reasoning: Reasoning | undefined = effort === undefined ? others : { effort };
  return {
    ...{ enable_thinking: undefined, thinking: undefined, thinking_budget: undefined },
    ...(reasoning && { reasoning }),
  };
}

/** An empty list is not sent: some servers refuse it. */
function toolsOf(request: ProviderRequest): Pick<Body, 'tools' | 'tool_choice' | 'parallel_tool_calls'> {
  const { tools = [], serverTools = [], toolChoice, parallelToolCalls } = request;
  const functions = tools.map((tool) => ({ type: 'function' as const, function: functionOf(tool) }));
  if (functions.length + serverTools.length === 0) return {};
  return {
    tools: [...functions, ...serverTools],
    ...(toolChoice === undefined ? {} : { tool_choice: choiceOf(toolChoice) }),
    ...(parallelToolCalls === undefined ? {} : { parallel_tool_calls: parallelToolCalls }),
  };
}

/** Codex says of each tool that it is not exact, which is the default and refused by servers that do not know the field. */
const functionOf = ({ strict, ...tool }: ProviderTool): ProviderTool => (strict === true ? { ...tool, strict } : tool);

const choiceOf = (choice: ToolChoice): OpenAI.ChatCompletionToolChoiceOption =>
  typeof choice === 'string' ? choice : { type: 'function', function: { name: choice.name } };

function namedMessageOf(message: ProviderMessage): OpenAI.ChatCompletionMessageParam {
  const { name } = message;
  // OpenAI's types lack the name of a result, which Mistral and Gemini have.
  return name === undefined
    ? messageOf(message)
    : ({ ...messageOf(message), name } as OpenAI.ChatCompletionMessageParam);
}

function messageOf(message: ProviderMessage): OpenAI.ChatCompletionMessageParam {
  if (message.role === 'tool') return { role: 'tool', tool_call_id: message.callId, content: message.content };
  const { role, content } = message;
  if (role === 'user') return { role, content: typeof content === 'string' ? content : content.map(partOf) };
  const text = typeof content === 'string' ? content : textOf(content);
  return message.role === 'assistant' ? answerOf(message, text) : { role, content: text };
}

/** OpenAI's types have no fields for the reasoning, and for a message that the model continues. */
type AssistantMessage = OpenAI.ChatCompletionAssistantMessageParam & {
  reasoning_content?: string;
  reasoning_details?: unknown[];
  thinking_blocks?: unknown[];
  prefix?: true;
  partial?: true;
};

/** Null is the usual content of a message with calls alone. */
function answerOf(
  { toolCalls, reasoningContent, reasoningDetails, continuedBy }: Extract<ProviderMessage, { role: 'assistant' }>,
  text: string,
): AssistantMessage {
  return {
    role: 'assistant',
    content: text === '' && toolCalls !== undefined ? null : text,
    ...(toolCalls === undefined ? {} : { tool_calls: toolCalls.map(callOf) }),
    ...(reasoningContent === undefined ? {} : { reasoning_content: reasoningContent }),
    ...(reasoningDetails === undefined ? {} : detailsOf(reasoningDetails)),
    ...(continuedBy === undefined ? {} : { [continuedBy]: true }),
  };
}

/** Details and blocks in their fields. Anthropic refuses a block without its signature, as of an answer that broke off. */
function detailsOf(given: unknown[]): Pick<AssistantMessage, 'reasoning_details' | 'thinking_blocks'> {
  const details = given.filter((detail) => !isThinkingBlock(detail));
  const blocks = given.filter((detail) => isThinkingBlock(detail) && isWholeBlock(detail as Fields));
  return {
    ...(details.length > 0 && { reasoning_details: details }),
    ...(blocks.length > 0 && { thinking_blocks: blocks }),
  };
}

const isWholeBlock = ({ type, signature }: Fields): boolean => type === 'redacted_thinking' || Boolean(signature);

/** OpenAI's types have no field for what other providers add. */
type Call = OpenAI.ChatCompletionMessageFunctionToolCall & { extra_content?: ExtraContent };

const callOf = ({ id, name, args, json, extraContent }: ProviderToolCall): Call => ({
  id,
  type: 'function',
  function: { name, arguments: json ?? JSON.stringify(args ?? {}) },
  ...(extraContent === undefined ? {} : { extra_content: extraContent }),
});

/** Joins the text parts of a message. Only messages of users have other parts. */
function textOf(parts: ProviderPart[]): string {
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

function partOf(part: ProviderPart): Part {
  if (part.type === 'text') return { type: 'text', text: part.text };
  if (part.type === 'image') {
    const { dataUrl: url, detail } = part;
    // The types lack the newest value.
    return {
      type: 'image_url',
      image_url: detail === undefined ? { url } : { url, detail: detail as ImageUrl['detail'] },
    };
  }
  return { type: 'input_audio', input_audio: audioOf(part.dataUrl) };
}

function audioOf(dataUrl: string): { data: string; format: 'wav' | 'mp3' } {
  const comma = dataUrl.indexOf(',');
  const type = dataUrl.slice('data:'.length, comma).split(';')[0]?.toLowerCase() ?? '';
  const format = AUDIO_FORMATS[type];
  if (!format) throw new ProviderError('provider_refused', { reason: 'audio_format' });
  return { data: dataUrl.slice(comma + 1), format };
}
