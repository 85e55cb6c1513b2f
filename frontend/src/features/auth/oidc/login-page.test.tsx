import { jest } from '@jest/globals';
import { createMemoryHistory } from '@tanstack/react-router';
import { type PublicSettings, TEXTS, type User } from '@tanya/contract';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { serve } from '../../../app/api/fake-server';
import { queryClient } from '../../../app/queries/query-client';
import { settingsQuery } from '../../../app/queries/settings.query';
import { currentUserQuery } from '../../../app/queries/user.query';
import { sari } from '../../../app/session/fake-user';
import { toaster } from '../../../components/feedback/toast-store';
import { FakeRouter } from '../../../components/layout/fake-router';
import { LoginPage, readLoginSearch } from './login-page';
import { FakePage } from '../../../components/layout/fake-page';

const settings = { siteTitle: 'Tanya', guestsEnabled: true, links: {} } as PublicSettings;

function show(search: string, user: User | null = null, answers: Record<string, unknown> = {}) {
  queryClient.clear();
  queryClient.setQueryData(settingsQuery.queryKey, settings);
  queryClient.setQueryData(currentUserQuery.queryKey, user);
  serve({
    '/api/general-settings': settings,
    '/api/session': { user },
    '/api/auth/providers': [{ id: 3, label: 'Company' }],
    ...answers,
  });
  const history = createMemoryHistory({ initialEntries: ['/login'] });
  render(
    <FakePage>
      <FakeRouter history={history}>
        <LoginPage search={readLoginSearch(search)} />
      </FakeRouter>
    </FakePage>,
  );
  return { history, user: userEvent.setup({ delay: null }) };
}

describe('LoginPage', () => {
  it('offers the providers, which return to the page', async () => {
    show('?returnTo=/usage');
    const link = await screen.findByRole('link', { name: 'Continue with Company' });
    expect(link.getAttribute('href')).toBe('/api/auth/oidc/3/start?returnTo=%2Fusage');
    expect(screen.getByLabelText(TEXTS.auth.password)).toBeDefined();
  });

  it.each([
    ['?error=sign_in_failed&reason=expired', 'This sign-in has expired or was used before. Please start again.'],
    ['?error=account_pending', 'Your account waits for approval by an admin. Please log in once it is approved.'],
    ['?error=conflict&reason=identity_taken&purpose=link', 'This login is connected to another account.'],
    ['?error=quota_exceeded', 'Signing in did not work. Please try again.'],
    ['?error=<b>unknown</b>', 'Signing in did not work. Please try again.'],
  ])('says what went wrong: %s', async (search, sentence) => {
    show(search);
    expect((await screen.findByRole('alert')).textContent).toContain(sentence);
  });

  it('says what went wrong last alone', async () => {
    const suspended = { statusCode: 403, code: 'account_suspended', message: 'Suspended' };
    const { user } = show('?error=sign_in_failed&reason=expired', null, { '/api/login': suspended });
    expect(await screen.findByText(/This sign-in has expired/)).toBeDefined();
    await user.type(screen.getByLabelText('Username or email'), 'sari');
    await user.type(screen.getByLabelText(TEXTS.auth.password), 'secret{Enter}');
    expect(await screen.findAllByText(/suspended/i)).not.toEqual([]);
    expect(screen.queryByText(/This sign-in has expired/)).toBeNull();
  });

  it('asks for the code of a second factor, and goes on', async () => {
    const { history, user } = show('?step=code&returnTo=/usage', null, { '/api/auth/oidc/complete': sari });
    await user.type(await screen.findByLabelText('Authentication code'), '123456{Enter}');
    await waitFor(() => expect(history.location.pathname).toBe('/usage'));
  });

  it('returns to the login when the sign-in has expired', async () => {
    const expired = { statusCode: 400, code: 'sign_in_failed', message: 'Expired' };
    const { user } = show('?step=code', null, { '/api/auth/oidc/complete': expired });
    await user.type(await screen.findByLabelText('Authentication code'), '123456{Enter}');
    expect(await screen.findByLabelText(TEXTS.auth.password)).toBeDefined();
  });

  it('leads a member on', async () => {
    const { history } = show('?returnTo=/usage', sari);
    await waitFor(() => expect(history.location.pathname).toBe('/usage'));
  });

  it.each([
    ['link', 'The login was not connected'],
    ['reauth', 'The sign-in was not completed'],
  ])('tells a member what failed, where it began: %s', async (purpose, title) => {
    const notices = jest.spyOn(toaster, 'create');
    const { history } = show(`?error=sign_in_failed&reason=cancelled&purpose=${purpose}&returnTo=/account/data`, sari);
    await waitFor(() => expect(history.location.pathname).toBe('/account/data'));
    await waitFor(() => expect(notices).toHaveBeenCalledWith(expect.objectContaining({ title })));
    notices.mockRestore();
  });

  it('leads a member whose attempt is unknown to the logins of the account', async () => {
    const { history } = show('?error=sign_in_failed&reason=expired', sari);
    await waitFor(() => expect(history.location.pathname).toBe('/account/security'));
  });

  it('reads no other host from a path', () => {
    for (const path of ['/.//evil.example', '/a/..//evil.example'])
      expect(readLoginSearch(`?returnTo=${encodeURIComponent(path)}`).returnTo).toBe('/evil.example');
  });

  it.each(['https://evil.example/', '//evil.example', '/\\evil.example'])('goes on to no other site: %s', (address) => {
    expect(readLoginSearch(`?returnTo=${encodeURIComponent(address)}`).returnTo).toBe('/');
  });
});
