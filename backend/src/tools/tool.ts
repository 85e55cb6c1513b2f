import type { ModelPricing } from '@tanya/contract';
import type { Asker } from '../identity/identity.js';

export type JsonSchema = Readonly<Record<string, unknown>>;

/** A source of a result. The engine numbers the sources of a message and stores them as `source` parts. */
export interface ToolSource {
  url: string;
  title: string;
  snippet?: string;
}

/** A passage of a file of a project. The engine numbers the passages of an answer; those that its text cites become `source` parts. */
export interface Passage {
  fileId: string;
  /** Address of the page that shows it. */
  url: string;
  /** Of the file. */
  name: string;
  /** Index of the section, from 0. */
  section: number;
  label: string;
  /** First character in the text of the section. */
  start: number;
  text: string;
}

/** What an earlier answer cited of a file. */
export interface CitedPlace {
  fileId: string;
  /** Index of the section, from 0. */
  section: number;
  /** Of the section. */
  label: string;
  quote: string;
}

export type ToolPolicy = 'allow' | 'ask';

export interface ToolResult {
  /**
   * The result for the model and for the reader, plain text. The engine cuts it to the size of a part and appends the
   * numbered sources, so it need not repeat them.
   */
  text: string;
  isCut?: boolean;
  sources?: ToolSource[];
  /** Quoted below the text with their numbers. */
  passages?: Passage[];
  /** Stored images of the owner, shown as `image` parts; `url` is `/api/files/…`. */
  images?: { url: string; alt: string }[];
  /** The call failed: `text` says why, for the model and for the reader. */
  isError?: boolean;
}

export interface ToolContext {
  /** The asker as of the send; `owner` is the current one after a guest's migration. */
  asker: Asker;
  threadId: number;
  generationId: string;
  /** The call in this generation. A call runs at most once. */
  callId: string;
  /** Aborted by Stop, by a shutdown and by the deletion of the thread or account. */
  signal: AbortSignal;
  /** The user approved this call. A call whose `policyOf` is `ask` fails without it. */
  isApproved?: boolean;
  /**
   * The model that called the tool. `connectionId` is null where the configured connections decide; `provider` is the
   * kind of the connection that answers it, `local` or `demo`.
   */
  model: { modelId: string; connectionId: number | null; provider: string };
  /**
   * Addresses that the model may pass on without asking: those in the user's own messages of this conversation, and
   * those that `web_search` gave as sources in it. As written, not normalized.
   */
  knownAddresses(): Promise<readonly string[]>;
  /**
   * Draws an image as the image dialog does: with a hold and a charge of its own, and its rate limits. The file hangs on
   * the thread.
   * @throws AppError `quota_exceeded`, `rate_limited`, `model_unavailable` or a provider error
   */
  drawImage(prompt: string, signal: AbortSignal): Promise<{ url: string }>;
}

/** Runs a call that was prepared. @param signal replaces that of the context */
export type PreparedCall = (signal: AbortSignal) => Promise<ToolResult>;

/** A tool as models and people know it. */
interface ToolDescription {
  /** Matches `TOOL_NAME`; unique among the tools of one asker. */
  name: string;
  /** For people. */
  title: string;
  /** For the model. */
  description: string;
  parameters: JsonSchema;
  /** `ask`: each call waits for the user's approval. */
  policy: ToolPolicy;
  /** The server that offers the tool; absent for a built-in one. */
  server?: { id: number; name: string };
}

/** A tool whose calls this server runs, or passes on to an MCP server. */
export interface CallableTool extends ToolDescription {
  hosted?: undefined;
  /** The policy of one call, for a tool whose arguments decide; replaces `policy`. Takes arguments of any form. */
  policyOf?(args: unknown, context: ToolContext): Promise<ToolPolicy>;
  /**
   * Prepares one call while it is committed, without any effect outside of this server; the returned call runs after the
   * commit. Arguments come from the model and may be any JSON value: the tool validates them and reports invalid ones with
   * `isError`. A thrown error becomes a failed result whose text names an AppError's message and nothing of any other error;
   * an aborted signal ends the call at once.
   */
  prepare(args: unknown, context: ToolContext): Promise<PreparedCall>;
}

export interface Hosting {
  /** The tool is offered where this provider answers. */
  provider: string;
  /** The tool in the form of the provider. */
  definition: Readonly<Record<string, unknown>>;
  /** Counts one request with the tool. @throws AppError `rate_limited` */
  consume: (asker: Asker) => Promise<void>;
  /** Takes back the count of a request that is sent without the tool. */
  refund: (asker: Asker) => Promise<void>;
  /** USD that the provider may bill for the tool in one request, a decimal string. @param pricing of the model */
  price: (pricing: ModelPricing | null) => string;
}

/** A tool that a provider runs within its answer: its calls never reach this server. */
export interface HostedTool extends ToolDescription {
  hosted: Hosting;
}

export type Tool = CallableTool | HostedTool;

/** The tool whose sources `knownAddresses` includes. */
export const WEB_SEARCH = 'web_search';

export const TOOL_NAME = /^[A-Za-z0-9_-]{1,64}$/;

export const MAX_TOOLS = 64;
