import type { Root } from 'hast';
import { createLowlight } from 'lowlight';
import { loadLanguage } from './languages';

const lowlight = createLowlight();

/** Languages inside of another one. */
const EMBEDDED: Partial<Record<string, string[]>> = { xml: ['javascript', 'css'] };

/** Loads a language, and those that it has inside. */
export async function prepare(language: string): Promise<void> {
  const missing = [language, ...(EMBEDDED[language] ?? [])].filter((name) => !lowlight.registered(name));
  const grammars = await Promise.all(missing.map(loadLanguage));
  for (const [index, name] of missing.entries()) {
    const grammar = grammars[index];
    if (grammar) lowlight.register(name, grammar);
  }
}

/** Highlights code as a syntax tree, so that text of a message is never parsed as HTML. */
export const highlight = (code: string, language: string): Root => lowlight.highlight(language, code);
