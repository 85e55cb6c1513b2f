import { ERROR_CODES } from '@tanya/contract';

/** Internals that no client may see: statements, stacks, addresses, keys, texts of the provider. */
const INTERNALS =
  /scripted|sk-[a-z]|postgres|redis|\b(select|insert|update|delete) .*\b(from|into|set)\b|\n\s+at |node_modules|ECONN|127\.0\.0\.1/i;

/** I7: an error has the typed shape and exposes no internals. @returns the violation, or null */
export function violationOfError(body: unknown): string | null {
  const text = JSON.stringify(body) ?? 'undefined';
  if (typeof body !== 'object' || body === null) return `I7: an error without a shape: ${text}`;
  const { code, message, retryable, requestId } = body as Record<string, unknown>;
  const isTyped =
    typeof code === 'string' &&
    (ERROR_CODES as readonly string[]).includes(code) &&
    typeof message === 'string' &&
    typeof retryable === 'boolean' &&
    typeof requestId === 'string';
  if (!isTyped) return `I7: an error without a shape: ${text}`;
  if (INTERNALS.test(text)) return `I7: an error exposes internals: ${text}`;
  if (code === 'internal') return `I7: an internal error: ${text}`;
  return null;
}
