import { useQuery } from '@tanstack/react-query';
import { TEXTS } from '@tanya/contract';
import { useEffect } from 'react';
import { settingsQuery } from '../../app/queries/settings.query';

/** Titles the page with the site title, behind the page's own name where it has one; the site title returns on leaving. */
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
