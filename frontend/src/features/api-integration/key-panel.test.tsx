import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { serve } from '../../app/api/fake-server';
import { queryClient } from '../../app/queries/query-client';
import { KeyPanel } from './key-panel';
import { FakePage } from '../../components/layout/fake-page';

const PATH = '/api/user/apikey';
const none = { hasApiKey: false, apiKey: null };

function show(answers: Record<string, unknown>) {
  serve(answers);
  render(
    <FakePage>
      <KeyPanel shown={false} onShown={() => undefined} />
    </FakePage>,
  );
  return userEvent.setup();
}

beforeEach(() => queryClient.clear());

test('the focus moves to Generate after the key is revoked, and to the new key after it is generated', async () => {
  const user = show({ [PATH]: { hasApiKey: true, apiKey: 'abcdefghijkl' }, [`${PATH}/revoke`]: none });
  await user.click(await screen.findByRole('button', { name: 'Revoke API Key' }));
  await user.click(await screen.findByRole('button', { name: 'Revoke' }));
  const generate = await screen.findByRole('button', { name: 'Generate API Key' });
  await waitFor(() => expect(document.activeElement).toBe(generate));
  serve({ [PATH]: none, [`${PATH}/generate`]: { hasApiKey: true, apiKey: 'mnopqrstuvwx' } });
  await user.keyboard('{Enter}');
  const reveal = await screen.findByRole('button', { name: 'Show API key' });
  await waitFor(() => expect(document.activeElement).toBe(reveal));
});

test('a key that cannot be shown can be revoked', async () => {
  const user = show({ [PATH]: { hasApiKey: true, apiKey: null }, [`${PATH}/revoke`]: none });
  expect(await screen.findByText(/still works but can no longer be shown/)).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Generate API Key' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Revoke API Key' }));
  await user.click(await screen.findByRole('button', { name: 'Revoke' }));
  expect(await screen.findByRole('button', { name: 'Generate API Key' })).toBeDefined();
});

test('Generate shows the key of another tab instead of replacing it', async () => {
  const user = show({ [PATH]: none });
  const generate = await screen.findByRole('button', { name: 'Generate API Key' });
  const requested = serve({ [PATH]: { hasApiKey: true, apiKey: 'abcdefghijkl' } });
  await user.click(generate);
  expect(await screen.findByText(/^abcdefgh/)).toBeDefined();
  expect(requested).toEqual([PATH]);
});

test('each visit reads the key again', async () => {
  show({ [PATH]: none });
  await screen.findByRole('button', { name: 'Generate API Key' });
  cleanup();
  show({ [PATH]: { hasApiKey: true, apiKey: 'abcdefghijkl' } });
  expect(await screen.findByText(/^abcdefgh/)).toBeDefined();
});
