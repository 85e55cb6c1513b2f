import type { AccessRule } from '../admin/access.js';
import type { ConnectionFault } from '../admin/connections.js';
import type { Plan } from './tools.js';

/** `deny`: the tool is offered to no model. */
export const SERVER_TOOL_POLICIES = ['allow', 'ask', 'deny'] as const;
export type ServerToolPolicy = (typeof SERVER_TOOL_POLICIES)[number];

/** Bounds of MCP servers. Lengths are in UTF-16 code units. */
export const TOOL_SERVER_LIMITS = {
  servers: 20,
  name: { min: 1, max: 60 },
  url: { max: 2048 },
  headers: 20,
  headerName: { max: 100 },
  headerValue: { max: 4096 },
  /** Tools of one server; a longer list is cut. */
  tools: 128,
  toolName: { max: 128 },
  /** Tools that cannot be used and are named to admins. */
  leftOut: 20,
} as const;

/** Definition of a tool by its server. The model reads description and schema. */
export interface ToolDefinition {
  title: string;
  description: string;
  /** JSON Schema of the arguments. */
  schema: Record<string, unknown>;
}

export interface ServerTool {
  /** The server's own name of the tool. */
  name: string;
  title: string;
  policy: ServerToolPolicy;
  /** `changed`: the definition differs from the accepted one. The tool is not offered until an admin accepts it. */
  state: 'active' | 'changed';
  /** Name of the tool for models: slug of the server, `_`, name of the tool; with a hash where that is taken or too long. */
  toolName: string;
  description: string;
}

/** A tool that a server lists and that cannot be used. */
export interface LeftOutTool {
  /** Null for an entry without a name, and for the rest of a list that is too long. */
  name: string | null;
  reason:
    | 'no_name'
    | 'unusable_name'
    | 'duplicate'
    | 'task_only'
    | 'too_large'
    | 'too_deep'
    | 'too_many'
    | 'unread_pages';
}

/** An MCP server as shown to admins. The values of its headers are never returned. */
export interface ToolServer extends AccessRule {
  id: number;
  name: string;
  url: string;
  /** A member's plan and `access` must both allow the server. */
  plans: Plan[];
  headerNames: string[];
  /** The stored headers cannot be read, because APP_SECRET has changed. They have to be entered again. */
  areHeadersUnreadable: boolean;
  tools: ServerTool[];
  /** Number of listed tools that cannot be used: duplicates, unusable names, and definitions that are too large. */
  leftOut: number;
  /** The first of them, at most `TOOL_SERVER_LIMITS.leftOut`. */
  leftOutTools: LeftOutTool[];
  lastError: { fault: ConnectionFault; message: string; at: string } | null;
  lastSuccess: string | null;
  createdAt: string;
  updatedAt: string;
}

/** One server with the definitions of its tools, for the review of a change. */
export interface ToolServerDetails extends ToolServer {
  definitions: ToolReview[];
}

export interface ToolReview {
  name: string;
  accepted: ToolDefinition;
  /** The definition that waits for acceptance, with its hash; null for a tool that has not changed. */
  changed: (ToolDefinition & { hash: string }) | null;
}

export interface CreateToolServerRequest extends Partial<AccessRule> {
  name: string;
  /** Address of the Streamable HTTP endpoint. A private address is contacted exactly as typed, with its port. */
  url: string;
  headers?: Record<string, string>;
  /** Omitted: `free` and `premium`. */
  plans?: Plan[];
}

/**
 * A test of an address and headers before they are saved. With `id`, omitted fields and headers of null come from the saved
 * server, under the rules of an update.
 */
export interface TestToolServerRequest {
  id?: number;
  /** Required without `id`. */
  url?: string;
  headers?: Record<string, string | null>;
}

/** `tools`: the tools that the server lists and that can be used; `leftOut`: the others. */
export type ToolServerTestResult =
  | { ok: true; tools: number; leftOut: number; ms: number }
  | { ok: false; fault: ConnectionFault; message: string; ms: number };

/** A partial update: omitted fields keep their value. */
export interface UpdateToolServerRequest extends Partial<AccessRule> {
  name?: string;
  /** A new origin needs the values of the headers again while some are stored. */
  url?: string;
  /** Replaces all headers; null keeps the stored value of a header. */
  headers?: Record<string, string | null>;
  plans?: Plan[];
  /** Policies by the server's own names of the tools. */
  tools?: Record<string, ServerToolPolicy>;
  /** Tools whose changed definition is accepted. */
  accept?: string[];
  /** Hashes of the definitions that the admin saw. Another one is refused with 409. */
  hashes?: Record<string, string>;
}
