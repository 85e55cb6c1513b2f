import './app/base.css';
import { ChakraProvider } from '@chakra-ui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './app/color-mode';
import { startLiveUpdates } from './app/live-updates';
import { queryClient } from './app/query-client';
import { router } from './app/router';
import { startSocket } from './app/socket';
import { system } from './app/theme';
import { reloadOnce } from './app/reload-once';
import { refuseStrayFiles } from './app/stray-files';
import { keepAboveKeyboard } from './app/visible-height';
import { notify } from './components/notify';

const SESSION_ENDED = {
  logout: 'You have been logged out.',
  password: 'Your password was changed. Please log in again.',
  role: 'Your rights have changed. Please log in again.',
  deleted: 'This account no longer exists.',
  expired: 'Your session has ended. Please log in again.',
};

// After an update of the server the parts that an open page has not loaded yet are gone; the new page has them.
window.addEventListener('vite:preloadError', reloadOnce);

keepAboveKeyboard();
refuseStrayFiles();
startLiveUpdates((reason) => notify({ title: SESSION_ENDED[reason], kind: 'info' }));
startSocket();

const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <ChakraProvider value={system}>
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </ChakraProvider>
    </StrictMode>,
  );
}
