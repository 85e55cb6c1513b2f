import type { ModelParameters, ReasoningEffort } from '../models/model-values.js';

/** How long an answer is. */
export const VERBOSITIES = ['low', 'medium', 'high'] as const;
export type Verbosity = (typeof VERBOSITIES)[number];

/** How exactly a model reads an image. */
export const IMAGE_DETAILS = ['low', 'high', 'original', 'auto'] as const;
export type ImageDetail = (typeof IMAGE_DETAILS)[number];

/** Forms of recordings in messages. */
export const AUDIO_FORMATS = ['wav', 'mp3'] as const;
export type AudioFormat = (typeof AUDIO_FORMATS)[number];

/** Sampling parameters under OpenAI's names, passed on unchanged. */
export interface Sampling extends Omit<ModelParameters, 'max_tokens'> {
  stop?: string | string[];
  /** Added to the likelihood of tokens, by their ids. */
  logit_bias?: Record<string, number>;
  verbosity?: Verbosity;
  chat_template_kwargs?: Record<string, unknown>;
  /** Switches of reasoning: of Qwen, of DeepSeek, Z.AI and Kimi, and its most tokens. */
  enable_thinking?: boolean;
  thinking?: Record<string, unknown>;
  thinking_budget?: number;
  /** Forms that vLLM, SGLang and llama.cpp give to an answer. */
  guided_json?: unknown;
  guided_regex?: unknown;
  guided_choice?: unknown;
  guided_grammar?: unknown;
  structured_outputs?: unknown;
  grammar?: unknown;
  min_tokens?: number;
  /** Of vLLM and SGLang: ids of tokens that end an answer, and whether the last answer of the request is continued. */
  stop_token_ids?: number[];
  continue_final_message?: boolean;
  add_generation_prompt?: boolean;
  /** Answers to one request; 1 without it. */
  n?: number;
  logprobs?: boolean;
  /** Alternatives of each token. */
  top_logprobs?: number;
  response_format?: ResponseFormat;
}

/** Shapes of `/api/v1`, compatible with OpenAI's clients. */
export interface ChatCompletionRequest extends Sampling {
  model?: string;
  messages: ChatCompletionMessage[];
  tools?: FunctionTool[];
  tool_choice?: ToolChoiceField;
  parallel_tool_calls?: boolean;
  reasoning_effort?: ReasoningEffort;
  max_tokens?: number;
  max_completion_tokens?: number;
  /** Whether fallbacks of the model may answer; true by default. Not in OpenAI's API. */
  fallback?: boolean;
  stream?: boolean;
  stream_options?: { include_usage?: boolean };
}

/** Form of the answer: any text, any JSON object, or JSON of a schema. */
export type ResponseFormat =
  | { type: 'text' }
  /** The schema is that of Together, Fireworks and llama.cpp, passed on. */
  | { type: 'json_object'; schema?: Record<string, unknown> }
  | {
      type: 'json_schema';
      json_schema: { name: string; description?: string; schema?: Record<string, unknown>; strict?: boolean | null };
    };

export interface ChatCompletionMessage {
  role: 'system' | 'developer' | 'user' | 'assistant' | 'tool';
  /**
   * Null in an assistant turn only: clients send this with calls, and for an answer that was stopped before its first token.
   * A text may be empty as long as another message has content.
   */
  content?: string | ChatCompletionPart[] | null;
  /** Who wrote it, among several of one role; of the role `tool`, the function. */
  name?: string;
  /** Of an assistant turn: calls, each answered by a message of the role `tool`. */
  tool_calls?: FunctionCall[];
  /** Of an assistant turn: its reasoning as the answer had it, which some providers require with the calls. */
  reasoning_content?: string;
  reasoning_details?: unknown[];
  /** With which an answer refused, in place of its content. */
  refusal?: string;
  /** Of the last message: the model continues it, in the words of DeepSeek and Mistral, and of Kimi and Qwen. */
  prefix?: true;
  partial?: true;
  /** For the role `tool`: the call that the message answers. */
  tool_call_id?: string;
}

/** A function that the client runs. */
export interface FunctionTool {
  type: 'function';
  function: { name: string; description?: string; parameters?: Record<string, unknown>; strict?: boolean };
}

/** The functions that the model may call, among those of the request. */
export interface AllowedTools {
  type: 'allowed_tools';
  allowed_tools: { mode?: 'auto' | 'required' | null; tools: NamedFunction[] };
}

export interface NamedFunction {
  type: 'function';
  function: { name: string };
}

export type ToolChoiceField = 'none' | 'auto' | 'required' | NamedFunction | AllowedTools;

export interface FunctionCall {
  id: string;
  type: 'function';
  /** `arguments` is JSON as the model wrote it, which may be invalid. */
  function: { name: string; arguments: string };
  /** What the provider adds in its own form. A client returns it with the call: Gemini demands its signature. */
  extra_content?: Record<string, unknown>;
}

/** A piece of a call: `id`, `type` and `name` stand in the first one alone. */
export interface FunctionCallDelta {
  index: number;
  id?: string;
  type?: 'function';
  function: { name?: string; arguments: string };
  extra_content?: Record<string, unknown>;
}

/** Reasoning under the names that the provider uses. A client returns the first and the last with the calls. */
export interface CompletionReasoning {
  reasoning_content?: string;
  reasoning?: string;
  reasoning_details?: unknown[];
}

export type CompletionFinishReason = 'stop' | 'length' | 'tool_calls' | 'content_filter';

export type ChatCompletionPart =
  | { type: 'text'; text: string }
  /** A data URL or an https address. */
  | { type: 'image_url'; image_url: { url: string; detail?: ImageDetail } }
  /** Base64. */
  | { type: 'input_audio'; input_audio: { data: string; format: AudioFormat } }
  /** `file_data`: base64, or a data URL. */
  | { type: 'file'; file: { file_data: string; filename?: string } };

/** Likelihoods of the tokens of an answer, in the provider's own form. */
export interface CompletionLogprobs {
  content: unknown[] | null;
  refusal: unknown[] | null;
}

export interface CompletionUsage {
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
  /** Part of the prompt that came from the provider's cache. */
  prompt_tokens_details: { cached_tokens: number };
  completion_tokens_details: { reasoning_tokens: number };
}

export interface ChatCompletion {
  id: string;
  object: 'chat.completion';
  /** Epoch seconds. */
  created: number;
  model: string;
  choices: {
    index: number;
    /** The content is null for calls without text. */
    message: { role: 'assistant'; content: string | null; tool_calls?: FunctionCall[] } & CompletionReasoning;
    logprobs?: CompletionLogprobs;
    finish_reason: CompletionFinishReason;
  }[];
  usage: CompletionUsage;
}

export interface ChatCompletionChunk {
  id: string;
  object: 'chat.completion.chunk';
  created: number;
  model: string;
  choices: {
    index: number;
    delta: { role?: 'assistant'; content?: string; tool_calls?: FunctionCallDelta[] } & CompletionReasoning;
    logprobs?: CompletionLogprobs;
    finish_reason: CompletionFinishReason | null;
  }[];
  usage?: CompletionUsage | null;
}

export interface PublicApiError {
  error: { message: string; type: string; code: string | null; param: string | null };
}

export interface ModelList {
  object: 'list';
  data: ModelListEntry[];
}

export interface ModelListEntry {
  id: string;
  object: 'model';
  created: number;
  owned_by: string;
  /** Tokens; null when unknown. */
  context_length: number | null;
  /** USD as decimal strings, under OpenRouter's names; null when unknown. An absent price is unknown, not zero. */
  pricing: Record<string, string> | null;
  /** null when unknown. */
  supported_parameters: string[] | null;
}
