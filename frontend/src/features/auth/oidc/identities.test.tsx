import type { LinkedIdentity } from '@tanya/contract';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { serve } from '../../../app/api/fake-server';
import { queryClient } from '../../../app/queries/query-client';
import { Identities } from './identities';
import { FakePage } from '../../../components/layout/fake-page';

const identity: LinkedIdentity = {
  id: 5,
  label: 'Company',
  issuer: 'https://id.example.org',
  name: 'sari@example.org',
  createdAt: '2026-01-01T00:00:00.000Z',
  lastUsedAt: null,
};

function show(answers: Record<string, unknown> = {}) {
  queryClient.clear();
  const requested = serve({
    '/api/user/identities': [identity],
    '/api/auth/providers': [{ id: 3, label: 'Company' }],
    ...answers,
  });
  render(
    <FakePage>
      <Identities />
    </FakePage>,
  );
  return { requested, user: userEvent.setup({ delay: null }) };
}

describe('Identities', () => {
  it('disconnects a login after a question', async () => {
    const { user } = show({ '/api/user/identities/5': null });
    await user.click(await screen.findByRole('button', { name: 'Disconnect Company' }));
    await user.click(await screen.findByRole('button', { name: 'Disconnect' }));
    await waitFor(() => expect(screen.queryByText('sari@example.org · not used yet')).toBeNull());
  });

  it('says why a login cannot be connected, and offers to sign in again', async () => {
    const code = 'reauthentication_required';
    window.history.replaceState(null, '', '/account/security');
    const { user } = show({ '/api/auth/oidc/3/link': { statusCode: 403, code, message: 'Please sign in again.' } });
    await user.click(await screen.findByRole('button', { name: 'Connect Company' }));
    await user.click(await screen.findByRole('button', { name: 'Go on to Company' }));
    expect(await screen.findByText('Please sign in again.')).toBeDefined();
    const link = await screen.findByRole('link', { name: 'Sign in again with Company' });
    expect(link.getAttribute('href')).toBe('/api/auth/oidc/3/start?reauth=true&returnTo=%2Faccount%2Fsecurity');
  });
});
