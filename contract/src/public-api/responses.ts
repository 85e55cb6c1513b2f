import type { Verbosity } from './completions.js';

/** Shapes of `/api/v1/responses`, compatible with OpenAI's clients. */

export interface ResponseText {
  type: 'output_text';
  text: string;
  annotations: never[];
  logprobs: never[];
}

export type ResponseItemStatus = 'in_progress' | 'completed' | 'incomplete';

export interface ResponseMessageItem {
  id: string;
  type: 'message';
  status: ResponseItemStatus;
  role: 'assistant';
  content: ResponseText[];
}

/** A call that the client runs; it sends the result as `function_call_output` with the same `call_id`. */
export interface ResponseCallItem {
  id: string;
  type: 'function_call';
  status: ResponseItemStatus;
  call_id: string;
  name: string;
  /** The group of tools that the function belongs to. */
  namespace?: string;
  /** JSON as the model wrote it, which may be invalid. */
  arguments: string;
}

export type ResponseItem = ResponseMessageItem | ResponseCallItem;

export interface ResponseUsage {
  input_tokens: number;
  input_tokens_details: { cached_tokens: number };
  output_tokens: number;
  output_tokens_details: { reasoning_tokens: number };
  total_tokens: number;
}

/** The fields of the request that every response repeats. */
export interface ResponseSettings {
  model: string;
  instructions: string | null;
  max_output_tokens: number | null;
  parallel_tool_calls: boolean;
  previous_response_id: string | null;
  reasoning: { effort: string | null; summary: null };
  store: boolean;
  temperature: number | null;
  text: { format: Record<string, unknown>; verbosity?: Verbosity };
  tool_choice: unknown;
  tools: unknown[];
  top_p: number | null;
}

export type ResponseStatus = 'in_progress' | 'completed' | 'incomplete' | 'failed';

export type IncompleteReason = 'max_output_tokens' | 'content_filter';

/** How a response ended, or that it runs. */
export interface ResponseState {
  status: ResponseStatus;
  output: ResponseItem[];
  error: { code: string; message: string } | null;
  incomplete_details: { reason: IncompleteReason } | null;
  usage: ResponseUsage | null;
}

export interface ResponseObject extends ResponseSettings, ResponseState {
  id: string;
  object: 'response';
  /** Epoch seconds. */
  created_at: number;
  background: false;
  metadata: Record<string, never>;
  truncation: 'disabled';
}

export interface DeletedResponse {
  id: string;
  object: 'response';
  deleted: true;
}
