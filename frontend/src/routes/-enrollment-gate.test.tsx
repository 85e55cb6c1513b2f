import { createMemoryHistory } from '@tanstack/react-router';
import { type PublicSettings, TEXTS, type User } from '@tanya/contract';
import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { serve } from '../app/api/fake-server';
import { queryClient } from '../app/queries/query-client';
import { settingsQuery } from '../app/queries/settings.query';
import { currentUserQuery } from '../app/queries/user.query';
import { sari } from '../app/session/fake-user';
import { Toaster } from '../components/feedback/toaster';
import { FakeRouter } from '../components/layout/fake-router';
import { loadLate } from '../components/lazy/load-late';
import { EnrollmentGate } from './-enrollment-gate';
import { FakePage } from '../components/layout/fake-page';

const required = { totpRequired: { admin: false, member: true } } as PublicSettings;

async function show(user: User | null, settings: PublicSettings = required) {
  queryClient.setQueryData(settingsQuery.queryKey, settings);
  queryClient.setQueryData(currentUserQuery.queryKey, user);
  serve({
    '/api/general-settings': settings,
    '/api/session': { user: user && { ...user, hasTotp: true } },
    '/api/user/totp/enroll': { secret: 'GEZDGNBVGY3TQOJQ', uri: 'otpauth://totp/x?secret=GEZDGNBVGY3TQOJQ' },
    '/api/user/totp/confirm': { recoveryCodes: ['aaaa-bbbb-cccc-dddd'] },
  });
  const history = createMemoryHistory({ initialEntries: ['/admin/users'] });
  // Also waits for the chunk that the gate loads.
  await act(async () => {
    render(
      <FakePage>
        <FakeRouter history={history}>
          <EnrollmentGate>
            <p>The app</p>
          </EnrollmentGate>
        </FakeRouter>
        <Toaster />
      </FakePage>,
    );
    await loadLate(() => import('../features/auth/totp/enrollment'));
    await new Promise((resolve) => setTimeout(resolve));
  });
  return { user: userEvent.setup({ delay: null }), history };
}

const title = () => screen.findByRole('heading', { name: 'Set up two-factor login' });

describe('EnrollmentGate', () => {
  it.each([
    ['a guest', null, required],
    ['an account with a second factor', { ...sari, hasTotp: true }, required],
    ['an admin where members alone need one', { ...sari, isAdmin: true }, required],
  ])('shows the app to %s', async (_, user, settings) => {
    await show(user, settings);
    expect(screen.getByText('The app')).toBeDefined();
  });

  it('shows the enrolment in place of the app, and the app after the recovery codes are saved', async () => {
    const { user } = await show(sari);
    await title();
    expect(screen.queryByText('The app')).toBeNull();
    await user.type(screen.getByLabelText('Your password'), 'secret-123{Enter}');
    await user.type(await screen.findByLabelText('Authentication code'), '123456{Enter}');
    expect(await screen.findByText('aaaa-bbbb-cccc-dddd')).toBeDefined();
    const enrolled: User = { ...sari, hasTotp: true };
    act(() => void queryClient.setQueryData(currentUserQuery.queryKey, enrolled));
    expect(screen.getByText('aaaa-bbbb-cccc-dddd')).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'I have saved them' }));
    expect(await screen.findByText('The app')).toBeDefined();
  });

  it('shows the app to the next account after a logout without an enrolment', async () => {
    await show(sari);
    await title();
    act(() => void queryClient.setQueryData(currentUserQuery.queryKey, null));
    const app = await screen.findByText('The app');
    const next: User = { ...sari, id: 2, hasTotp: true };
    act(() => void queryClient.setQueryData(currentUserQuery.queryKey, next));
    await act(() => new Promise((resolve) => setTimeout(resolve)));
    expect(app.isConnected).toBe(true);
  });

  it('logs out to the home page with a notice', async () => {
    const { user, history } = await show(sari);
    await title();
    serve({ '/api/logout': undefined, '/api/session': { user: null }, '/api/general-settings': required });
    await user.click(screen.getByRole('button', { name: 'Logout' }));
    expect(await screen.findByText('The app')).toBeDefined();
    expect(await screen.findByText(TEXTS.auth.loggedOut)).toBeDefined();
    expect(screen.getByText(TEXTS.auth.loggedOutHint)).toBeDefined();
    expect(history.location.pathname).toBe('/');
  });

  it('shows the app when the setting is withdrawn', async () => {
    await show(sari);
    await title();
    const withdrawn = { totpRequired: { admin: false, member: false } } as PublicSettings;
    act(() => void queryClient.setQueryData(settingsQuery.queryKey, withdrawn));
    await waitFor(() => expect(screen.getByText('The app')).toBeDefined());
  });
});
