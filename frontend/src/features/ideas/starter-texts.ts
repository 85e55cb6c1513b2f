import { STARTERS } from '@tanya/contract';
import { loadTexts } from '../../app/i18n/load-texts';
import { findText } from '../../app/i18n/translate';

/** Loads the built-in ideas in the language of the page. @returns the shown text of an idea; others stay as they are */
export async function loadStarterTexts(): Promise<(idea: string) => string> {
  await loadTexts('starters');
  return (idea) => findText(`starters.${STARTERS.indexOf(idea)}`) ?? idea;
}
