import { setupI18n } from '@lingui/core';
import type { TextKey, ValuesOf } from '../../texts/catalogue';

/** The active catalogue. `load-texts.ts` fills and switches it. */
export const i18n = setupI18n();

/**
 * The text of a key in the active language. It is read while rendering or when an event happens, never while a module
 * loads, because the catalogue comes later. A change of the language renders the page anew (`main.tsx`).
 */
export function t<K extends TextKey>(key: K, ...[values]: ValuesOf<K>): string {
  return i18n._(key, values);
}

/** The text of a key that is made at run time, from an error code for example; null if the loaded catalogue has none. */
export function findText(key: string, values?: Record<string, string | number>): string | null {
  return key in i18n.messages ? i18n._(key, values) : null;
}
