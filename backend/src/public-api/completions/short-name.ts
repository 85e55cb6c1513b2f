import { LIMITS } from '@tanya/contract';
import { sha256Hex } from '../../platform/secrets/sha256.js';

const HASH_CHARACTERS = 8;

/** The name of a function at the provider, of which OpenAI takes 64 characters. A longer one ends in its hash. */
export function shortName(name: string): string {
  const { max } = LIMITS.toolName;
  if (name.length <= max) return name;
  return `${name.slice(0, max - HASH_CHARACTERS - 1)}_${sha256Hex(name).slice(0, HASH_CHARACTERS)}`;
}
