import { loadLateRecipes } from '../../app/theme/theme';

/** Loads a chunk of lazy code together with what the first screen does not have: the late recipes. */
export async function loadLate<T>(load: () => Promise<T>): Promise<T> {
  const [chunk] = await Promise.all([load(), loadLateRecipes()]);
  return chunk;
}
