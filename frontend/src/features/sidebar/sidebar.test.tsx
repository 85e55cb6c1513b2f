import { type ProductLinks, TEXTS, type Thread, type User } from '@tanya/contract';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { closeDialog, useDialogs } from '../../app/state/dialogs';
import { fakeThread } from '../../app/queries/fake-thread';
import { serve } from '../../app/api/fake-server';
import { sari } from '../../app/session/fake-user';
import { queryClient } from '../../app/queries/query-client';
import { FakeRoute } from '../../components/layout/fake-route';
import { useSections } from './sections-store';
import { Sidebar } from './sidebar';

interface Shown {
  links?: Partial<ProductLinks>;
  threads?: Thread[];
  path?: string;
}

async function show(user: User | null, { links = {}, threads = [], path }: Shown = {}): Promise<void> {
  queryClient.clear();
  serve({
    '/api/session': { user },
    '/api/general-settings': { siteTitle: 'Harbour Help', links },
    '/api/chat/threads': threads,
  });
  renderSidebar(path);
  await screen.findByText('Harbour Help');
  await waitFor(() => expect(queryClient.getQueryData(['user'])).toEqual(user));
}

function renderSidebar(path?: string): void {
  render(
    <FakeRoute path={path}>
      <Sidebar />
    </FakeRoute>,
  );
}

const has = (role: string, name: string) => screen.queryByRole(role, { name }) !== null;

const chats = (count: number) =>
  Array.from({ length: count }, (_, index) => fakeThread(index + 1, { updatedAt: new Date().toISOString() }));

beforeEach(() => {
  localStorage.clear();
  useSections.setState({ chosen: {}, hasRoom: false });
});

describe('Sidebar', () => {
  it('offers a guest login, registration and upgrade, and explains the missing history', async () => {
    await show(null);
    expect(await screen.findByText(TEXTS.sidebar.guestHistory)).toBeDefined();
    for (const name of [TEXTS.sidebar.login, TEXTS.sidebar.register, TEXTS.chat.upgrade]) {
      expect(has('button', name)).toBe(true);
    }
    expect(has('link', TEXTS.sidebar.apiIntegration)).toBe(false);
    expect(has('button', 'Logout')).toBe(false);

    await userEvent.setup().click(screen.getByRole('button', { name: TEXTS.sidebar.login }));
    expect(useDialogs.getState().open).toBe('login');
  });

  it('shows a skeleton of the recent chats until the session is known', async () => {
    queryClient.clear();
    globalThis.fetch = () => new Promise(() => undefined);
    renderSidebar();
    expect(await screen.findByRole('status', { name: 'Loading chats' })).toBeDefined();
    expect(screen.queryByText(TEXTS.sidebar.guestHistory)).toBeNull();
  });

  it('shows a free user the history, the developer tools and the upgrade', async () => {
    await show(sari);
    expect(await screen.findByText(TEXTS.sidebar.noHistory)).toBeDefined();
    expect(has('button', TEXTS.sidebar.login)).toBe(false);
    expect(has('button', TEXTS.chat.upgrade)).toBe(true);
    expect(has('link', TEXTS.sidebar.apiIntegration)).toBe(true);
    expect(has('link', TEXTS.sidebar.manageUsers)).toBe(false);
    const account = screen.getByRole('link', { name: /^Account of sari / });
    expect(account.textContent).toContain('SA');
    expect(account.textContent).toContain(TEXTS.sidebar.free);
  });

  it('shows a premium admin the admin menu and no upgrade', async () => {
    await show({ ...sari, isPremium: true, isAdmin: true });
    for (const name of [TEXTS.sidebar.llmModels, TEXTS.sidebar.manageUsers, TEXTS.sidebar.generalSettings]) {
      expect(await screen.findByRole('link', { name })).toBeDefined();
    }
    expect(has('button', TEXTS.chat.upgrade)).toBe(false);
    expect(screen.getByRole('link', { name: /^Account of sari / }).textContent).toContain(TEXTS.sidebar.premium);
  });

  it('does not call an admin a free member and offers an admin no upgrade', async () => {
    await show({ ...sari, isAdmin: true });
    const account = await screen.findByRole('link', { name: /^Account of sari / });
    expect(account.textContent).toContain('Administrator');
    expect(account.textContent).not.toContain(TEXTS.sidebar.free);
    expect(has('button', TEXTS.chat.upgrade)).toBe(false);
  });

  it('folds its sections beside many chats, keeps the few pages of one as icons, and remembers what was unfolded', async () => {
    await show({ ...sari, isAdmin: true }, { threads: chats(20) });
    await screen.findByRole('link', { name: 'Thread 20' });
    const section = (name: string) => screen.getByRole('button', { name });
    const sections = [TEXTS.sidebar.otherApps, TEXTS.sidebar.adminMenu, TEXTS.sidebar.developerTools];
    for (const title of sections) expect(section(title).getAttribute('aria-expanded')).toBe('false');
    // The pages of admins are too many to be told apart by their icons.
    expect(has('link', TEXTS.sidebar.manageUsers)).toBe(false);
    expect(has('link', TEXTS.sidebar.apiIntegration)).toBe(true);
    expect(screen.queryByText(TEXTS.sidebar.apiIntegration)).toBeNull();
    await userEvent.setup().click(section(TEXTS.sidebar.adminMenu));
    expect(screen.getByRole('link', { name: TEXTS.sidebar.manageUsers }).textContent).toBe(TEXTS.sidebar.manageUsers);
    expect(localStorage.getItem('tanya.sections')).toBe('{"admin":true}');
    expect(screen.queryByText(TEXTS.sidebar.apiIntegration)).toBeNull();
  });

  it('shows the names of the pages of admins beside one of them, until they are folded', async () => {
    await show({ ...sari, isAdmin: true }, { threads: chats(20), path: '/admin/users' });
    await screen.findByRole('link', { name: 'Thread 20' });
    expect(await screen.findByText(TEXTS.sidebar.manageUsers)).toBeDefined();
    expect(screen.queryByText(TEXTS.sidebar.apiIntegration)).toBeNull();
    await userEvent.setup().click(screen.getByRole('button', { name: TEXTS.sidebar.adminMenu }));
    expect(screen.queryByText(TEXTS.sidebar.manageUsers)).toBeNull();
  });

  it('has one search, which is the palette', async () => {
    await show(sari);
    expect(screen.queryByRole('searchbox')).toBeNull();
    await userEvent.setup().click(screen.getByRole('button', { name: 'Search and commands' }));
    expect(useDialogs.getState().open).toBe('palette');
    act(closeDialog);
  });

  it('links the app for professionals only where the settings have its address', async () => {
    await show(sari);
    expect((await screen.findByText('AI Pro')).closest('a')).toBeNull();
    act(cleanup);
    await show(sari, { links: { proAppUrl: 'https://pro.example' } });
    const link = await screen.findByRole('link', { name: /^AI Pro/ });
    expect(link.getAttribute('href')).toBe('https://pro.example');
  });

  it('has the theme switch apart from Logout', async () => {
    await show(sari);
    const footer = (await screen.findByRole('button', { name: 'Logout' })).closest('footer');
    expect(footer?.contains(screen.getByRole('button', { name: /^Theme: / }))).toBe(false);
  });
});
