import { type FunctionTool, LIMITS } from '@tanya/contract';
import { sha256Hex } from '../../platform/secrets/sha256.js';

const HASH_CHARACTERS = 8;

/** The name of a function at the provider, of which OpenAI takes 64 characters. A longer one ends in its hash. */
export function shortName(name: string): string {
  const { max } = LIMITS.toolName;
  if (name.length <= max) return name;
  return `${name.slice(0, max - HASH_CHARACTERS - 1)}_${sha256Hex(name).slice(0, HASH_CHARACTERS)}`;
}

/** The names of functions that are longer than those at the provider, by the latter. */
export const longNames = (tools: readonly FunctionTool[] = []): ReadonlyMap<string, string> =>
  new Map(
    tools.map(({ function: { name } }) => [shortName(name), name] as const).filter(([short, name]) => short !== name),
  );
