import type { Root } from 'hast';
import { createLowlight } from 'lowlight';
import { loadLanguage } from './languages';

const lowlight = createLowlight();

/** Highlights code as a syntax tree, so that text of a message is never parsed as HTML. */
export async function highlight(code: string, language: string): Promise<Root | null> {
  if (!lowlight.registered(language)) {
    const grammar = await loadLanguage(language);
    if (!grammar) return null;
    lowlight.register(language, grammar);
  }
  return lowlight.highlight(language, code);
}
