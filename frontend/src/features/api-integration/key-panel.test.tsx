import { ChakraProvider } from '@chakra-ui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { serve } from '../../app/api/fake-server';
import { queryClient } from '../../app/queries/query-client';
import { createTheme } from '../../app/theme/theme';
import { KeyPanel } from './key-panel';

test('the focus moves to Generate after the key is revoked, and to the new key after it is generated', async () => {
  serve({
    '/api/user/apikey': { hasApiKey: true, apiKey: 'abcdefghijkl' },
    '/api/user/apikey/revoke': {},
    '/api/user/apikey/generate': { apiKey: 'mnopqrstuvwx' },
  });
  render(
    <ChakraProvider value={createTheme()}>
      <QueryClientProvider client={queryClient}>
        <KeyPanel shown={false} onShown={() => undefined} />
      </QueryClientProvider>
    </ChakraProvider>,
  );
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Revoke API Key' }));
  await user.click(await screen.findByRole('button', { name: 'Revoke' }));
  const generate = await screen.findByRole('button', { name: 'Generate API Key' });
  await waitFor(() => expect(document.activeElement).toBe(generate));
  await user.keyboard('{Enter}');
  const show = await screen.findByRole('button', { name: 'Show API key' });
  await waitFor(() => expect(document.activeElement).toBe(show));
});
