import type { Root } from 'hast';
import { createLowlight } from 'lowlight';
import { loadGrammar } from './grammars';
import type { Coloured } from './languages';

const lowlight = createLowlight();

/** Languages inside of another one. */
const EMBEDDED: Partial<Record<Coloured, Coloured[]>> = { xml: ['javascript', 'css'] };

/** Loads a language, and those that it has inside. */
export async function prepare(language: Coloured): Promise<void> {
  const missing = [language, ...(EMBEDDED[language] ?? [])].filter((name) => !lowlight.registered(name));
  const grammars = await Promise.all(missing.map(loadGrammar));
  for (const [index, name] of missing.entries()) lowlight.register(name, grammars[index]!);
}

/** Highlights code as a syntax tree, so that text of a message is never parsed as HTML. */
export const highlight = (code: string, language: string): Root => lowlight.highlight(language, code);
