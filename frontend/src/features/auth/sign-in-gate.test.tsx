import { createMemoryHistory } from '@tanstack/react-router';
import { type PublicSettings, TEXTS, type User } from '@tanya/contract';
import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { serve } from '../../app/api/fake-server';
import { queryClient } from '../../app/queries/query-client';
import { settingsQuery } from '../../app/queries/settings.query';
import { currentUserQuery } from '../../app/queries/user.query';
import { sari } from '../../app/session/fake-user';
import { closeDialog, openDialog } from '../../app/state/dialogs';
import { FakeRouter } from '../../components/layout/fake-router';
import { loadLate } from '../../components/lazy/load-late';
import { SignInGate } from './sign-in-gate';
import { FakePage } from '../../components/layout/fake-page';

const settings = (guestsEnabled: boolean) => ({ siteTitle: 'Tanya', guestsEnabled, links: {} }) as PublicSettings;

async function show(user: User | null, guestsEnabled: boolean) {
  queryClient.setQueryData(settingsQuery.queryKey, settings(guestsEnabled));
  queryClient.setQueryData(currentUserQuery.queryKey, user);
  serve({ '/api/general-settings': settings(guestsEnabled), '/api/session': { user }, '/api/login': sari });
  // Also waits for the chunk that the gate loads.
  await act(async () => {
    render(
      <FakePage>
        <FakeRouter history={createMemoryHistory({ initialEntries: ['/'] })}>
          <SignInGate>
            <p>The app</p>
          </SignInGate>
        </FakeRouter>
      </FakePage>,
    );
    await loadLate(() => import('./sign-in-page'));
    await new Promise((resolve) => setTimeout(resolve));
  });
  return userEvent.setup({ delay: null });
}

afterEach(() => act(() => closeDialog()));

const login = () => screen.queryByRole('heading', { level: 1, name: TEXTS.auth.loginTitle });

describe('SignInGate', () => {
  it.each([
    ['a guest', null, true],
    ['a member while guests are off', sari, false],
  ])('shows the app to %s', async (_, user, guestsEnabled) => {
    await show(user, guestsEnabled);
    expect(screen.getByText('The app')).toBeDefined();
    expect(login()).toBeNull();
  });

  it('shows the login alone to a visitor while guests are off, and the app after it', async () => {
    await show(null, false);
    expect(login()).not.toBeNull();
    expect(screen.queryByText('The app')).toBeNull();
    act(() => void queryClient.setQueryData(currentUserQuery.queryKey, sari));
    expect(await screen.findByText('The app')).toBeDefined();
  });

  it('goes on to the registration and back', async () => {
    const user = await show(null, false);
    await user.click(screen.getByRole('button', { name: 'Register' }));
    expect(screen.getByRole('heading', { level: 1, name: TEXTS.auth.registerTitle })).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Login' }));
    expect(login()).not.toBeNull();
  });

  it('tells a suspended member, who is not offered to go on as a guest', async () => {
    const user = await show(null, false);
    act(() => openDialog('suspended'));
    await user.click(await screen.findByRole('button', { name: 'OK' }));
    expect(screen.queryByRole('alertdialog')).toBeNull();
    expect(login()).not.toBeNull();
  });

  it('follows the setting', async () => {
    await show(null, true);
    act(() => void queryClient.setQueryData(settingsQuery.queryKey, settings(false)));
    expect(await screen.findByRole('heading', { name: TEXTS.auth.loginTitle })).toBeDefined();
    act(() => void queryClient.setQueryData(settingsQuery.queryKey, settings(true)));
    expect(await screen.findByText('The app')).toBeDefined();
  });
});
