import { createHash } from 'node:crypto';
import { BUILT_IN_TOOLS, trimOf } from '@tanya/contract';

const MAX_NAME = 64;
const MAX_SLUG = 24;
const HASH = 8;

const BUILT_IN: readonly string[] = BUILT_IN_TOOLS;

/** The beginning of the names of a server's tools: `My Docs` gives `my-docs`. Gemini and Kimi refuse one with a digit first. */
export function slugOf(name: string): string {
  const words = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}+/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_SLUG);
  const slug = trimOf(words, '-');
  if (slug === '') return 'server';
  return /^\d/.test(slug) ? `server-${slug}` : slug;
}

/**
 * The name of a tool for models. A name that is too long, taken, that of a built-in tool, or one of which characters had
 * to be replaced, ends with a hash.
 * @param key distinguishes tools of one name, such as the server's id and the tool's own name
 */
export function toolNameFor(slug: string, tool: string, key: string, isTaken: (name: string) => boolean): string {
  const given = `${slug}_${tool}`;
  const usable = given.replace(/[^A-Za-z0-9_-]/g, '_');
  const isFree = usable === given && usable.length <= MAX_NAME && !BUILT_IN.includes(usable) && !isTaken(usable);
  if (isFree) return usable;
  const hash = createHash('sha256').update(key).digest('hex').slice(0, HASH);
  return `${usable.slice(0, MAX_NAME - HASH - 1)}_${hash}`;
}
