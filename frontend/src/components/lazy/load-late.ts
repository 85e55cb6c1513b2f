import { loadTexts } from '../../app/i18n/load-texts';
import { loadLateRecipes } from '../../app/theme/theme';
import type { Part } from '../../texts/catalogue';

/** Loads what the first screen does not have: the late recipes and the texts of lazy code, and further parts of the texts. */
export async function loadLateParts(...parts: Part[]): Promise<void> {
  await Promise.all([loadTexts('more', ...parts), loadLateRecipes()]);
}

/** Loads lazy code together with what the first screen does not have, and further parts of the texts. */
export async function loadLate<T>(load: () => Promise<T>, ...parts: Part[]): Promise<T> {
  const [chunk] = await Promise.all([load(), loadLateParts(...parts)]);
  return chunk;
}
