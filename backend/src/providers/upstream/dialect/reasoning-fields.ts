import { isFields } from '../../../platform/json/fields.js';

/** Names of the reasoning in a delta: of DeepSeek and vLLM, OpenRouter and Ollama, GitHub, and gateways of Ollama and Gemini. */
const NAMES = [
  'reasoning_content',
  'reasoning',
  'reasoning_text',
  'thinking',
  'thinking_content',
  'reasoning_summary',
  'thoughts',
  'thought',
] as const;

export type ReasoningFields = { readonly [name in (typeof NAMES)[number]]?: unknown };

/** The reasoning in a delta, once where it stands under several names; empty without any. */
export function reasoningOf(delta: ReasoningFields): string {
  for (const name of NAMES) {
    const text = textOf(delta[name]);
    if (text !== '') return text;
  }
  return '';
}

/** Names of the text in an object of reasoning. */
const TEXTS = ['text', 'content', 'summary', 'thinking'];

/** Gateways of Bedrock wrap the text in an object, others in parts, or parts in an object. */
function textOf(value: unknown, depth = 0): string {
  if (Array.isArray(value)) return value.map((part) => textOf(part, depth)).join('');
  if (!isFields(value)) return typeof value === 'string' ? value : '';
  const text = depth === MAX_DEPTH ? undefined : TEXTS.map((name) => value[name]).find(Boolean);
  return textOf(text, depth + 1);
}

const MAX_DEPTH = 3;

/** The text in `reasoning_details` and `thinking_blocks`, for servers that send it nowhere else. */
export function reasoningInDetails(details: unknown): string {
  if (!Array.isArray(details)) return '';
  return (details as ({ text?: unknown; summary?: unknown; thinking?: unknown } | null)[])
    .map((detail) => detail?.text || detail?.summary || detail?.thinking)
    .filter((text) => typeof text === 'string')
    .join('');
}

export interface ReasoningPart {
  type?: unknown;
  /** As of Gemini. */
  thought?: unknown;
  thinking?: unknown;
  reasoning?: unknown;
  /** As of Databricks, a list of texts. */
  summary?: unknown;
}

/** Whether the text of a part is reasoning. */
export const isReasoning = ({ type, thought }: ReasoningPart): boolean =>
  thought === true || (typeof type === 'string' && /reasoning|thinking|thought/i.test(type));

/** The reasoning of a part without a text: a text or parts again. */
export const reasoningIn = ({ thinking, reasoning, summary }: ReasoningPart): unknown =>
  thinking || reasoning || summary;
