import { ERROR_CODES } from '@tanya/contract';

/** What belongs to the inside and never to a client: statements, stacks, addresses, keys, an upstream's own words. */
const INSIDE =
  /scripted|sk-[a-z]|postgres|redis|\b(select|insert|update|delete) .*\b(from|into|set)\b|\n\s+at |node_modules|ECONN|127\.0\.0\.1/i;

/** I7: an error has a shape and says nothing of the inside. @returns what is wrong with it; null when nothing is */
export function faultOfError(body: unknown): string | null {
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
  if (INSIDE.test(text)) return `I7: an error tells of the inside: ${text}`;
  if (code === 'internal') return `I7: a fault that has no name: ${text}`;
  return null;
}
