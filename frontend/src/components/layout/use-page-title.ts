import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { create } from 'zustand';
import { settingText } from '../../app/language/setting-text';
import { settingsQuery } from '../../app/queries/settings.query';
import { setTitle } from '../../app/browser/page-title';

/** The name of the page on the screen; null for the home page. */
const usePageName = create<{ name: string | null }>()(() => ({ name: null }));

export function usePageTitle(name: string | null): void {
  useEffect(() => {
    usePageName.setState({ name });
    return () => usePageName.setState({ name: null });
  }, [name]);
}

/** Sets the document title to `<name> · <site title>`, or to the site title alone. Call once per page. */
export function useDocumentTitle(): void {
  const { data: settings } = useQuery(settingsQuery);
  const siteTitle = settingText('siteTitle', settings);
  const name = usePageName((state) => state.name);
  useEffect(() => setTitle(name ? `${name} · ${siteTitle}` : siteTitle), [name, siteTitle]);
}
