import { LocaleProvider } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { useLanguage } from '../../app/i18n/load-texts';

/** Gives tabs, menus and sliders the direction of the page's language. Without it they set `ltr` on their own elements. */
export function ReadingDirection({ children }: { children: ReactNode }) {
  useLanguage();
  return <LocaleProvider locale={document.documentElement.lang || 'en'}>{children}</LocaleProvider>;
}
