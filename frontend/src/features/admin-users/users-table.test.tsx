import { jest } from '@jest/globals';
import { ADMIN_TEXTS, type AdminUser } from '@tanya/contract';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { serve } from '../../app/api/fake-server';
import { queryClient } from '../../app/queries/query-client';
import { admin, budi, cardOf, renderTable, show } from './fake-users-table';

describe('UsersTable as cards', () => {
  it('shows name, contact, role and plan of each user', async () => {
    show([admin, budi]);
    const second = await cardOf('Budi Santoso');
    for (const text of ['budi', 'budi@example.org', 'User', 'Free']) expect(second.getByText(text)).toBeDefined();
    const first = await cardOf('admin');
    for (const text of [ADMIN_TEXTS.users.noContact, 'Admin', 'Premium']) expect(first.getByText(text)).toBeDefined();
  });

  it('shows the messages of all periods and of the current period', async () => {
    show([
      { ...admin, quotaUsed: 1056 },
      { ...budi, quotaUsed: 0, quotaOverride: 50 },
    ]);
    const first = await cardOf('admin');
    for (const text of ['1,234', '1,056 this period']) expect(first.getByText(text)).toBeDefined();
    const second = await cardOf('Budi Santoso');
    for (const text of ['0 this period', 'Limit 50']) expect(second.getByText(text)).toBeDefined();
  });

  it('shows the whole of a cut contact as a tooltip', async () => {
    const phoneNumber = '+62 812 3456 7890';
    show([{ ...budi, phoneNumber }]);
    const card = await cardOf('Budi Santoso');
    for (const text of ['budi@example.org', phoneNumber]) expect(card.getByTitle(text)).toBeDefined();
  });

  it('disables the deletion of the admin’s own account', async () => {
    const { opened } = show([admin, budi]);
    const deletion = async (name: string) =>
      (await cardOf(name)).getByRole<HTMLButtonElement>('button', { name: 'Delete' });
    expect((await deletion('admin')).disabled).toBe(true);
    await userEvent.setup().click(await deletion('Budi Santoso'));
    expect(opened).toEqual(['delete budi']);
  });

  it('leaves a new password of the admin’s own account to the account dialog', async () => {
    const { opened } = show([admin, budi]);
    const reset = async (name: string) =>
      (await cardOf(name)).getByRole<HTMLButtonElement>('button', { name: 'Reset Password' });
    expect((await reset('admin')).disabled).toBe(true);
    expect((await reset('admin')).title).toBe('Change your own password in your account settings');
    await userEvent.setup().click(await reset('Budi Santoso'));
    expect(opened).toEqual(['password budi']);
  });

  it('asks for confirmation before admins remove their own rights', async () => {
    const { opened } = show([admin, budi]);
    const card = await cardOf('admin');
    const user = userEvent.setup();
    await user.click(card.getByRole('button', { name: 'Actions for admin' }));
    await user.click(await card.findByRole('menuitem', { name: 'Remove Admin' }));
    expect(opened).toEqual(['demote admin']);
  });

  it('marks two-factor login and offers its reset, except for the own account', async () => {
    const { opened } = show([
      { ...admin, hasTotp: true },
      { ...budi, hasTotp: true },
    ]);
    const other = await cardOf('Budi Santoso');
    expect(other.getByText('2FA')).toBeDefined();
    const user = userEvent.setup();
    await user.click(other.getByRole('button', { name: 'Actions for budi' }));
    await user.click(await other.findByRole('menuitem', { name: 'Reset two-factor login' }));
    expect(opened).toEqual(['totp budi']);
    const own = await cardOf('admin');
    await user.click(own.getByRole('button', { name: 'Actions for admin' }));
    await own.findByRole('menuitem', { name: 'Suspend' });
    expect(own.queryByRole('menuitem', { name: 'Reset two-factor login' })).toBeNull();
  });

  it('links to the keys of a person, and offers no login of a service account', async () => {
    show([admin, { ...budi, isService: true }]);
    const service = await cardOf('Budi Santoso');
    expect(service.getByText('Service')).toBeDefined();
    expect(service.queryByRole('button', { name: 'Reset Password' })).toBeNull();
    await userEvent.setup().click(service.getByRole('button', { name: 'Actions for budi' }));
    const keys = await service.findByRole('menuitem', { name: 'API Keys' });
    expect(keys.getAttribute('href')).toBe('/admin/keys?userId=2');
    for (const name of ['Make Admin', 'End sessions', 'Log out everywhere'])
      expect(service.queryByRole('menuitem', { name })).toBeNull();
  });

  it('marks a pending account and approves it', async () => {
    show([admin, { ...budi, isApproved: false }]);
    const pending = await cardOf('Budi Santoso');
    expect(pending.getByText('Pending')).toBeDefined();
    expect((await cardOf('admin')).queryByRole('button', { name: 'Approve' })).toBeNull();
    const requests = serve({ '/api/admin/users': [admin, budi], '/api/admin/users/2': budi });
    await userEvent.setup().click(pending.getByRole('button', { name: 'Approve' }));
    await waitFor(() => expect(screen.queryByText('Pending')).toBeNull());
    expect(requests[0]).toBe('/api/admin/users/2');
  });

  it('reads the accounts again when a change is refused, as that of a deleted account', async () => {
    show([admin, { ...budi, isApproved: false }]);
    const pending = await cardOf('Budi Santoso');
    serve({ '/api/admin/users': [admin] });
    await userEvent.setup().click(pending.getByRole('button', { name: 'Approve' }));
    await waitFor(() => expect(screen.queryByText('Budi Santoso')).toBeNull());
  });

  it('marks a suspended account and offers its suspension or resumption, except for the own account', async () => {
    const other = { ...budi, id: 3, username: 'siti', fullName: 'Siti Aminah', isSuspended: true };
    const { opened } = show([admin, budi, other]);
    const user = userEvent.setup();
    const choose = async (card: string, username: string, action: string) => {
      const actions = await cardOf(card);
      await user.click(actions.getByRole('button', { name: `Actions for ${username}` }));
      const item = await actions.findByRole('menuitem', { name: action });
      await user.click(item);
      return item;
    };
    await choose('Budi Santoso', 'budi', 'Suspend');
    expect((await cardOf('Siti Aminah')).getByText('Suspended')).toBeDefined();
    await choose('Siti Aminah', 'siti', 'Resume');
    const own = await choose('admin', 'admin', 'Suspend');
    expect(own.getAttribute('aria-disabled')).toBe('true');
    expect(opened).toEqual(['suspend budi', 'resume siti']);
  });

  it('shows a message limit of the account, its creation and its last call', async () => {
    show([
      { ...admin, quotaOverride: -1 },
      { ...budi, quotaOverride: 5000, lastSeenAt: '2026-02-03T04:05:00.000Z' },
    ]);
    const first = await cardOf('admin');
    for (const text of ['Unlimited', 'Never seen', /^Created .*2026/]) expect(first.getByText(text)).toBeDefined();
    const second = await cardOf('Budi Santoso');
    for (const text of ['Limit 5,000', /^Last seen .*2026/]) expect(second.getByText(text)).toBeDefined();
  });

  it('searches on the server and reports no match', async () => {
    const { requests } = show([]);
    expect(await screen.findByText(ADMIN_TEXTS.users.empty)).toBeDefined();
    const user = userEvent.setup();
    await user.click(screen.getByLabelText('Search users'));
    await user.paste('zainal');
    expect(await screen.findByText('No user matches your search.')).toBeDefined();
    expect(requests.at(-1)).toContain('query=zainal');
  });

  it('reports a failed read and retries', async () => {
    const { requests } = show(null);
    expect((await screen.findAllByText(ADMIN_TEXTS.users.fetchError)).length).toBeGreaterThan(0);
    const before = requests.length;
    await userEvent.setup().click(screen.getByRole('button', { name: /try again/i }));
    await waitFor(() => expect(requests.length).toBe(before + 1));
  });

  it('names the file of the shown filter', async () => {
    show([admin, budi]);
    const user = userEvent.setup();
    await user.selectOptions(await screen.findByLabelText('Show'), 'Suspended people');
    const file = await screen.findByRole('link', { name: 'CSV file' });
    expect(file.getAttribute('href')).toBe('/api/admin/users.csv?suspended=true');
  });
});

describe('the pages of UsersTable', () => {
  interface Page {
    users: AdminUser[];
    next?: string;
  }

  /** Serves pages by their cursor; the first one is ''. Later pages wait for `ready`. Returns the requested addresses. */
  function showPages(pages: Record<string, Page>, ready: Promise<void>): string[] {
    const requests: string[] = [];
    globalThis.fetch = (async (address: string) => {
      requests.push(address);
      const search = new URLSearchParams(address.split('?')[1]);
      const cursor = search.get('before') ?? '';
      if (cursor !== '' || search.get('sort') !== 'newest') await ready;
      const { users, next = null } = pages[cursor]!;
      const text = () => Promise.resolve(JSON.stringify(users));
      return {
        ok: true,
        status: 200,
        statusText: '',
        headers: new Headers(next === null ? {} : { 'X-Next-Cursor': next }),
        text,
      };
    }) as unknown as typeof fetch;
    renderTable();
    return requests;
  }

  /** A promise, and the function that resolves it. */
  function hold(): [Promise<void>, () => void] {
    let release = () => undefined as void;
    return [new Promise<void>((resolve) => (release = resolve)), () => release()];
  }

  const press = (name: string) => userEvent.setup({ delay: null }).click(screen.getByRole('button', { name }));
  const siti = { ...budi, id: 3, username: 'siti', fullName: 'Siti Aminah' };
  const PAGES = {
    '': { users: [admin], next: 'a' },
    a: { users: [budi], next: 'b' },
    b: { users: [siti] },
  };

  it('goes one page forward when Next is pressed again before the page arrives', async () => {
    const [ready, release] = hold();
    showPages(PAGES, ready);
    await screen.findByText('1–1');
    await press('Next');
    await press('Next');
    release();
    expect(await screen.findByText('Budi Santoso')).toBeDefined();
    expect(screen.getByText('51–51')).toBeDefined();
    await press('Next');
    expect(await screen.findByText('Siti Aminah')).toBeDefined();
  });

  it('uses no cursor of another order', async () => {
    const [ready, release] = hold();
    const requests = showPages(PAGES, ready);
    await screen.findByText('1–1');
    await userEvent.setup({ delay: null }).selectOptions(screen.getByLabelText('Order of users'), 'oldest');
    await press('Next');
    release();
    await waitFor(() => expect(queryClient.isFetching()).toBe(0));
    expect(requests.at(-1)).toContain('sort=oldest');
    expect(requests.filter((address) => address.includes('before='))).toEqual([]);
  });

  it('goes back a page when the only account of the last page is deleted', async () => {
    const pages: Record<string, Page> = { ...PAGES, a: { users: [budi] } };
    showPages(pages, Promise.resolve());
    await screen.findByText('1–1');
    await press('Next');
    await screen.findByText('Budi Santoso');
    Object.assign(pages, { '': { users: [admin] }, a: { users: [] } });
    await press('Refresh');
    expect(await screen.findByText('1–1')).toBeDefined();
    expect(screen.queryByText(ADMIN_TEXTS.users.empty)).toBeNull();
  });
});

describe('UsersTable as a table', () => {
  beforeEach(() => void jest.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(1200));
  afterEach(() => void jest.restoreAllMocks());

  const rowOf = async (name: string) => within((await screen.findByText(name)).closest('tr')!);

  it('labels its columns and shows each user in a row', async () => {
    show([admin, budi]);
    const cells = (await rowOf('Budi Santoso')).getAllByRole('cell').map((cell) => cell.textContent);
    expect(cells.slice(1, 6)).toEqual(['Budi Santosobudi', 'budi@example.org', '1,2340 this period', 'User', 'Free']);
    const table = within(screen.getByRole('table', { name: 'Users' }));
    const headers = table.getAllByRole('columnheader').map((header) => header.textContent);
    expect(headers).toEqual(['Choose', 'User', 'Contact Info', 'Messages', 'Role', 'Status', 'Activity', 'Actions']);
  });

  it('offers no sorting in the header, because the server sorts', async () => {
    show([admin, budi]);
    await rowOf('Budi Santoso');
    const headers = screen.getAllByRole('columnheader');
    expect(headers.flatMap((header) => within(header).queryAllByRole('button'))).toEqual([]);
  });

  it('keeps the focus on an action when the list is read again', async () => {
    show([admin, budi]);
    const edit = (await rowOf('Budi Santoso')).getByRole('button', { name: 'Edit' });
    edit.focus();
    serve({ '/api/admin/users': [admin, { ...budi, isPremium: true }] });
    await userEvent.setup({ skipHover: true }).click(screen.getByRole('button', { name: 'Refresh' }));
    await waitFor(async () => expect((await rowOf('Budi Santoso')).getByText('Premium')).toBeDefined());
    expect((await rowOf('Budi Santoso')).getByRole('button', { name: 'Edit' })).toBe(edit);
  });
});
