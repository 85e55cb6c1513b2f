import { DEFAULT_TEXTS, type PublicSettings } from '@tanya/contract';
import { t } from '../i18n/translate';

/** A text of the settings for display. An unchanged default is shown in the language of the page. */
export function settingText(name: keyof typeof DEFAULT_TEXTS, settings: PublicSettings | undefined): string {
  const text = settings?.[name] ?? DEFAULT_TEXTS[name];
  return text === DEFAULT_TEXTS[name] ? t(`defaults.${name}`) : text;
}
