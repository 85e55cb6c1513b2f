import type { ReasoningEffort } from './models.js';

/** Shapes of `/api/v1`, compatible with OpenAI's clients. */
export interface ChatCompletionRequest {
  model?: string;
  messages: ChatCompletionMessage[];
  temperature?: number;
  top_p?: number;
  presence_penalty?: number;
  frequency_penalty?: number;
  stop?: string | string[];
  seed?: number;
  response_format?: ResponseFormat;
  reasoning_effort?: ReasoningEffort;
  max_tokens?: number;
  max_completion_tokens?: number;
  stream?: boolean;
  stream_options?: { include_usage?: boolean };
}

/** Form of the answer: any text, any JSON object, or JSON of a schema. */
export type ResponseFormat =
  | { type: 'text' }
  | { type: 'json_object' }
  | {
      type: 'json_schema';
      json_schema: { name: string; description?: string; schema?: Record<string, unknown>; strict?: boolean | null };
    };

export interface ChatCompletionMessage {
  role: 'system' | 'developer' | 'user' | 'assistant';
  /** Empty or null in an assistant turn only: clients send this for an answer that was stopped before its first token. */
  content: string | ChatCompletionPart[] | null;
}

export type ChatCompletionPart = { type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } };

export interface CompletionUsage {
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
}

export interface ChatCompletion {
  id: string;
  object: 'chat.completion';
  /** Epoch seconds. */
  created: number;
  model: string;
  choices: {
    index: number;
    message: { role: 'assistant'; content: string };
    finish_reason: 'stop' | 'length';
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
    delta: { role?: 'assistant'; content?: string };
    finish_reason: 'stop' | 'length' | null;
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
