import type { Root } from 'hast';
import { createLowlight } from 'lowlight';
import { loadLanguage } from './languages';

const lowlight = createLowlight();

/** Colours code as a tree, so that no text of a message ever becomes markup. */
export async function highlight(code: string, language: string): Promise<Root | null> {
  if (!lowlight.registered(language)) {
    const grammar = await loadLanguage(language);
    if (!grammar) return null;
    lowlight.register(language, grammar);
  }
  return lowlight.highlight(language, code);
}
