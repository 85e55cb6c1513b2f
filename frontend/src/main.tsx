import './app/base.css';
import './app/storage/migrate-owners';
import { ChakraProvider } from '@chakra-ui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import './app/theme/color-mode';
import { startLiveUpdates } from './app/sync/live-updates';
import { queryClient } from './app/queries/query-client';
import { settingsQuery } from './app/queries/settings.query';
import { currentUserQuery } from './app/queries/user.query';
import { router } from './app/router';
import { startSocket } from './app/socket/socket';
import { createTheme } from './app/theme/theme';
import { reloadOnce } from './app/browser/reload-once';
import { refuseStrayFiles } from './app/browser/stray-files';
import { keepAboveKeyboard } from './app/browser/visible-height';
import { notify } from './components/feedback/notify';

const SESSION_ENDED = {
  logout: 'You have been logged out.',
  password: 'Your password was changed. Please log in again.',
  role: 'Your rights have changed. Please log in again.',
  deleted: 'This account no longer exists.',
  expired: 'Your session has ended. Please log in again.',
};

/** So long the outlines of the page wait for its title, its texts and who is signed in; the app can do without. */
const FIRST_READS_MS = 300;

// After an update of the server the parts that an open page has not loaded yet are gone; the new page has them.
window.addEventListener('vite:preloadError', reloadOnce);

startLiveUpdates((reason) => notify({ title: SESSION_ENDED[reason], kind: 'info' }));
startSocket();
keepAboveKeyboard();
refuseStrayFiles();
const root = document.getElementById('root');
if (root) void show(root);

/** In steps, so that a slow phone can paint and answer a touch between them. */
async function show(root: HTMLElement): Promise<void> {
  const firstReads = Promise.all([
    queryClient.prefetchQuery(settingsQuery),
    queryClient.prefetchQuery(currentUserQuery),
  ]);
  await nextTask();
  const system = createTheme();
  await nextTask();
  // Matched first, the page is rendered at once and in slices; the router would show nothing first and then all without a pause.
  await router.load();
  await Promise.race([firstReads, new Promise((resolve) => setTimeout(resolve, FIRST_READS_MS))]);
  startTransition(() =>
    createRoot(root).render(
      <StrictMode>
        <ChakraProvider value={system}>
          <QueryClientProvider client={queryClient}>
            <RouterProvider router={router} />
          </QueryClientProvider>
        </ChakraProvider>
      </StrictMode>,
    ),
  );
}

function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
