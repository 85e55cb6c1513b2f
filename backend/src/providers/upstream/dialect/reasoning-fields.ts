/** Names of the reasoning in a delta: of DeepSeek and vLLM, OpenRouter and Ollama, GitHub, and gateways of Ollama. */
const NAMES = ['reasoning_content', 'reasoning', 'reasoning_text', 'thinking'] as const;

export type ReasoningFields = { readonly [name in (typeof NAMES)[number]]?: unknown };

/** The reasoning in a delta, once where it stands under several names; empty without any. */
export function reasoningOf(delta: ReasoningFields): string {
  for (const name of NAMES) if (typeof delta[name] === 'string' && delta[name] !== '') return delta[name];
  return '';
}

/** The text in `reasoning_details`, for servers that send it nowhere else. */
export function reasoningInDetails(details: unknown): string {
  if (!Array.isArray(details)) return '';
  return (details as ({ text?: unknown; summary?: unknown } | null)[])
    .map((detail) => detail?.text || detail?.summary)
    .filter((text) => typeof text === 'string')
    .join('');
}
