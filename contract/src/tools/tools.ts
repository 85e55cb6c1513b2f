import { LIMITS } from '../limits.js';
import type { ConnectionFault } from '../admin/connections.js';

/** The plans of askers: visitors without an account, members, and premium members. */
export const PLANS = ['guest', 'free', 'premium'] as const;
export type Plan = (typeof PLANS)[number];

/** The tools that are part of the server, with what people read of each. */
export const BUILT_IN_TOOL_TEXTS = {
  web_search: { title: 'Web search', hint: 'Finds current pages and cites them' },
  read_page: { title: 'Read page', hint: 'Reads the text of a page or a PDF' },
  current_time: { title: 'Current time', hint: 'Date and time in any time zone' },
  calculate: { title: 'Calculator', hint: 'Computes exactly, with units' },
  create_image: { title: 'Create image', hint: `Draws an image; ${LIMITS.imageCost} messages per image` },
} as const;
export type BuiltInTool = keyof typeof BUILT_IN_TOOL_TEXTS;
export const BUILT_IN_TOOLS = Object.keys(BUILT_IN_TOOL_TEXTS) as BuiltInTool[];

/** A tool that the asker may use, as `GET /api/tools` lists it. */
export interface ToolInfo {
  /** 1 to 64 letters, digits, `_` and `-`. */
  name: string;
  title: string;
  description: string;
  /** The server that offers the tool; null for a built-in one. */
  server: { id: number; name: string } | null;
  /** `ask`: each call waits for the user's approval. A tool with `allow` may still ask for some of its arguments. */
  policy: 'allow' | 'ask';
}

/** Services that `web_search` can use. */
export const SEARCH_SERVICES = ['searxng', 'brave', 'tavily'] as const;
export type SearchService = (typeof SEARCH_SERVICES)[number];

/**
 * The choice of the search service. `auto` takes the first that is configured: SearXNG, Brave and Tavily of the settings,
 * then SearXNG of the environment, then OpenRouter's own search for the models of its connections. With `off`, or without
 * any of them, `web_search` is absent.
 */
export const SEARCH_CHOICES = ['auto', ...SEARCH_SERVICES, 'off'] as const;
export type SearchChoice = (typeof SEARCH_CHOICES)[number];

/** The search service in use, with its last outcomes on any node. */
export interface SearchStatus {
  /** null without a configured service. */
  service: SearchService | null;
  /** Whether OpenRouter's own search is offered instead, to the models of its connections. */
  isHosted: boolean;
  source: 'settings' | 'environment' | null;
  lastError: { fault: ConnectionFault; message: string; at: string } | null;
  lastSuccess: string | null;
}

export type SearchTestResult =
  | { ok: true; service: SearchService; results: number; message: string; ms: number }
  | { ok: false; service: SearchService | null; fault: ConnectionFault; message: string; ms: number };
