import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { serve } from '../../app/api/fake-server';
import { queryClient } from '../../app/queries/query-client';
import { FakePage } from '../../components/layout/fake-page';
import { ApiIntegrationPage } from './api-integration-page';
import { maskKey } from './mask-key';

const PATH = '/api/user/apikey';

test('a new key is masked, also after the previous one was shown', async () => {
  queryClient.clear();
  serve({
    [PATH]: { hasApiKey: true, apiKey: 'abcdefghijkl' },
    [`${PATH}/revoke`]: { hasApiKey: false, apiKey: null },
    '/api/user/keys': [],
    '/api/models': [],
  });
  render(
    <FakePage>
      <ApiIntegrationPage />
    </FakePage>,
  );
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Show API key' }));
  expect(screen.getByText('abcdefghijkl')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Revoke API Key' }));
  await user.click(await screen.findByRole('button', { name: 'Revoke' }));
  const generate = await screen.findByRole('button', { name: 'Generate API Key' });
  serve({
    [PATH]: { hasApiKey: false, apiKey: null },
    [`${PATH}/generate`]: { hasApiKey: true, apiKey: 'mnopqrstuvwx' },
  });
  await user.click(generate);
  expect(await screen.findByText(maskKey('mnopqrstuvwx'))).toBeDefined();
  expect(screen.queryByText('mnopqrstuvwx')).toBeNull();
});
