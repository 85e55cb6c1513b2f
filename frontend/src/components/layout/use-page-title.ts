import { useQuery } from '@tanstack/react-query';
import { TEXTS } from '@tanya/contract';
import { useEffect } from 'react';
import { settingsQuery } from '../../app/queries/settings.query';

/** Sets the document title to `<name> · <site title>`, or to the site title alone; restores the site title on unmount. */
export function usePageTitle(name?: string): void {
  const { data: settings } = useQuery(settingsQuery);
  const siteTitle = settings?.siteTitle ?? TEXTS.defaults.siteTitle;
  useEffect(() => {
    document.title = name ? `${name} · ${siteTitle}` : siteTitle;
    return () => {
      document.title = siteTitle;
    };
  }, [name, siteTitle]);
}
