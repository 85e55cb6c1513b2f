import { prepareDateTimes } from '../../../app/i18n/formats';
import { queryClient } from '../../../app/queries/query-client';
import { loadLateParts } from '../../../components/lazy/load-late';
import { preloadMarkdown } from '../../markdown/markdown';
import { sharedQuery } from './shared.query';

/** How long the text of first-paint-share.js stays before the app shows that it is loading. */
const READ_TIMEOUT_MS = 2_000;

/** Loads everything that the page shows, so that it replaces the first paint in one rendering. */
export async function loadSharedPage(token: string): Promise<void> {
  const content = Promise.all([queryClient.prefetchQuery(sharedQuery(token)), preloadMarkdown()]);
  // In a task of its own, while the requests run.
  setTimeout(prepareDateTimes);
  const timeout = new Promise((resolve) => setTimeout(resolve, READ_TIMEOUT_MS));
  await Promise.all([loadLateParts(), Promise.race([content, timeout])]);
}
