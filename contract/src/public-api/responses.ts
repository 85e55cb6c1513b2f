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

interface ResponseCallFields {
  id: string;
  status: ResponseItemStatus;
  call_id: string;
}

/** A call that the client runs; it sends the result as `function_call_output` with the same `call_id`. */
export interface ResponseFunctionCallItem extends ResponseCallFields {
  type: 'function_call';
  name: string;
  /** The group of tools that the function belongs to. */
  namespace?: string;
  /** JSON as the model wrote it, which may be invalid. */
  arguments: string;
  /** Tells a client that expects encrypted arguments that these are not. */
  encrypted_function_args?: never[];
}

/** A call whose input is a text of any form; the result is a `custom_tool_call_output`. */
export interface ResponseCustomCallItem extends ResponseCallFields {
  type: 'custom_tool_call';
  name: string;
  namespace?: string;
  input: string;
}

/** A search among the tools that the client has not named yet; the result is a `tool_search_output`. */
export interface ResponseToolSearchItem extends ResponseCallFields {
  type: 'tool_search_call';
  execution: 'client';
  arguments: Record<string, unknown>;
}

export type ResponseCallItem = ResponseFunctionCallItem | ResponseCustomCallItem | ResponseToolSearchItem;

/** What stands for all else that was said. The client returns it unread. */
export interface CompactionItem {
  id: string;
  type: 'compaction';
  encrypted_content: string;
}

export type ResponseItem = ResponseMessageItem | ResponseCallItem | CompactionItem;

/** A message of the user, as a compacted conversation repeats it. */
export interface CompactedMessageItem {
  id: string;
  type: 'message';
  status: 'completed';
  role: 'user';
  content: (
    | { type: 'input_text'; text: string }
    | { type: 'input_image'; image_url: string; detail: 'auto' | 'low' | 'high' | 'original' }
    | { type: 'input_file'; file_data: string; filename?: string }
  )[];
}

/** A conversation that is shorter: the messages of the user, then the rest of it in one item. */
export interface CompactedResponse {
  id: string;
  object: 'response.compaction';
  /** Epoch seconds. */
  created_at: number;
  output: (CompactedMessageItem | CompactionItem)[];
  usage: ResponseUsage;
}

/** The estimated tokens of a request, with those of the conversation before it. */
export interface CountedResponse {
  object: 'response.input_tokens';
  input_tokens: number;
}

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
  /** Absent in responses that were stored without it, as `presence_penalty`. */
  frequency_penalty?: number;
  parallel_tool_calls: boolean;
  presence_penalty?: number;
  previous_response_id: string | null;
  reasoning: { effort: string | null; summary: null };
  store: boolean;
  temperature: number | null;
  text: { format: Record<string, unknown>; verbosity?: Verbosity };
  tool_choice: unknown;
  tools: unknown[];
  top_p: number | null;
  /** Whether it asks for a summary of the conversation in place of an answer; a response does not repeat it. */
  isCompaction?: true;
}

export type ResponseStatus = 'in_progress' | 'completed' | 'incomplete' | 'failed';

export type IncompleteReason = 'max_output_tokens' | 'content_filter';

/** How a response ended, or that it runs. */
export interface ResponseState {
  status: ResponseStatus;
  /** Epoch seconds; null unless it is completed, and for ends that were stored without it. */
  completed_at?: number | null;
  /** The model that answers; absent before it is known, and for ends that were stored without it. */
  model?: string;
  output: ResponseItem[];
  error: { code: string; message: string } | null;
  incomplete_details: { reason: IncompleteReason } | null;
  usage: ResponseUsage | null;
}

/** Fields that every response has and that say nothing here. */
export interface ResponseConstants {
  background: false;
  max_tool_calls: null;
  metadata: Record<string, never>;
  prompt_cache_key: null;
  safety_identifier: null;
  service_tier: 'default';
  top_logprobs: 0;
  truncation: 'disabled';
}

export interface ResponseObject
  extends
    ResponseConstants,
    Required<Omit<ResponseSettings, 'temperature' | 'top_p' | 'isCompaction'>>,
    Required<ResponseState> {
  id: string;
  object: 'response';
  /** Epoch seconds. */
  created_at: number;
  temperature: number;
  top_p: number;
}

export interface DeletedResponse {
  id: string;
  object: 'response';
  deleted: true;
}
