import './app/base.css';
import './app/print.css';
import { ChakraProvider } from '@chakra-ui/react';
import { CacheProvider } from '@emotion/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import './app/theme/color-mode';
import { createStyleCache } from './app/theme/style-cache';
import { formatNumber } from './app/i18n/formats';
import { t } from './app/i18n/translate';
import { startLiveUpdates } from './app/sync/live-updates';
import { useLanguage } from './app/i18n/load-texts';
import { showChosenLanguage } from './app/language/chosen-language';
import { queryClient } from './app/queries/query-client';
import { settingsQuery } from './app/queries/settings.query';
import { currentUserQuery } from './app/queries/user.query';
import { type AppRouter, createAppRouter } from './app/router';
import { startSocket } from './app/socket/socket';
import { createTheme } from './app/theme/theme';
import { isSharePage } from './app/browser/share-page';
import { reloadOnce } from './app/browser/reload-once';
import { whenIdle } from './app/browser/when-idle';
import { rejectStrayFiles } from './app/browser/stray-files';
import { keepAboveKeyboard } from './app/browser/visible-height';
import { notify } from './components/feedback/notify';
import { loadWithRetry } from './components/lazy/lazy-with-preload';
import { ReadingDirection } from './components/layout/reading-direction';

/** How long the first paint waits for settings and session before the app renders without them. */
const FIRST_READS_TIMEOUT_MS = 300;

// A deployment removes the chunks that an open page has not loaded yet; a reload gets the new ones.
window.addEventListener('vite:preloadError', reloadOnce);

const root = document.getElementById('root');
if (root) void startApp(root);

/** Starts the app in several tasks, so that a slow phone can paint and handle input between them. */
async function startApp(root: HTMLElement): Promise<void> {
  await nextTask();
  startLiveUpdates((reason) => notify({ title: t(`ended.${reason}`), kind: 'info' }), { hasDialogs: !isSharePage() });
  startSocket();
  keepAboveKeyboard();
  rejectStrayFiles();
  const firstReads = Promise.all([
    queryClient.prefetchQuery(settingsQuery),
    queryClient.prefetchQuery(currentUserQuery),
  ]);
  await nextTask();
  const system = createTheme();
  const styles = createStyleCache();
  await nextTask();
  const router = createAppRouter();
  await nextTask();
  // With its routes loaded, the app renders in one interruptible transition; otherwise the router would render twice.
  await router.load();
  await Promise.race([firstReads, new Promise((resolve) => setTimeout(resolve, FIRST_READS_TIMEOUT_MS))]);
  await showChosenLanguage();
  await nextTask();
  // The first number loads the data of the language, which would be half of the first rendering.
  formatNumber(0);
  await nextTask();
  startTransition(() =>
    createRoot(root).render(
      <StrictMode>
        <CacheProvider value={styles}>
          <ChakraProvider value={system}>
            <QueryClientProvider client={queryClient}>
              <ReadingDirection>
                <Page router={router} />
              </ReadingDirection>
            </QueryClientProvider>
          </ChakraProvider>
        </CacheProvider>
      </StrictMode>,
    ),
  );
  whenIdle(() => void beginLate(), 3_000);
}

/** Starts what the first screen has no room for; without a connection, once there is one. */
async function beginLate(): Promise<void> {
  const { startLate } = await loadWithRetry(() => import('./app/start-late'));
  startLate();
}

/**
 * The routes. A change of the language renders them anew, because texts are read while rendering; it waits for input that
 * is not stored (`follow-language.ts`).
 */
function Page({ router }: { router: AppRouter }) {
  const language = useLanguage((shown) => shown.language);
  return <RouterProvider key={language} router={router} />;
}

function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
