import { jest } from '@jest/globals';
import { ADMIN_TEXTS, type AdminUser, type User } from '@tanya/contract';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { serve } from '../../app/api/fake-server';
import { queryClient } from '../../app/queries/query-client';
import { account } from './fake-account';
import { UsersTable } from './users-table';
import { FakeRoute } from '../../components/layout/fake-route';

const admin: AdminUser = { ...account, username: 'admin', isPremium: true, isAdmin: true, messageCount: 1234 };
const budi: AdminUser = {
  ...admin,
  id: 2,
  username: 'budi',
  fullName: 'Budi Santoso',
  email: 'budi@example.org',
  isPremium: false,
  isAdmin: false,
};

function show(users: AdminUser[] | null): { requests: string[]; opened: string[] } {
  const requests = serve(users ? { '/api/admin/users': users } : {});
  return { requests, opened: renderTable() };
}

function renderTable(): string[] {
  queryClient.clear();
  queryClient.setQueryData(['user'], admin satisfies User);
  const opened: string[] = [];
  render(
    <FakeRoute>
      <UsersTable onOpen={(kind, user) => opened.push(`${kind} ${user.username}`)} />
    </FakeRoute>,
  );
  return opened;
}

/** Elements have no width in jsdom, so each user is a card, as on a phone. */
const cardOf = async (name: string) => within(await waitFor(() => screen.getByText(name).closest('li')!));

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

  it('shows no usage of the period from a node of an earlier version', async () => {
    show([admin]);
    expect((await cardOf('admin')).queryByText(/this period/)).toBeNull();
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
});

describe('a change of chosen people', () => {
  const siti = { ...budi, id: 3, username: 'siti', fullName: 'Siti Aminah' };
  const refusal = { id: 3, code: 'last_admin', message: 'This is the last administrator.' };

  it('is sent once for all, and reports and keeps who was refused', async () => {
    show([admin, budi, siti]);
    const user = userEvent.setup();
    const own = (await cardOf('admin')).getByRole<HTMLInputElement>('checkbox');
    expect(own.disabled).toBe(true);
    await user.click(screen.getByText('Choose all 2'));
    expect(screen.getByText('2 chosen')).toBeDefined();
    const bodies: unknown[] = [];
    serve({
      '/api/admin/users': [admin, budi, siti],
      '/api/admin/groups': [{ id: 7, name: 'Law' }],
      '/api/admin/groups/7/members': { userIds: [2] },
      '/api/admin/users/batch': { updated: [2], failed: [refusal] },
    });
    const answer = globalThis.fetch;
    globalThis.fetch = (address, request) => {
      if (request?.method === 'POST') bodies.push(JSON.parse(request.body as string));
      return answer(address, request);
    };
    await user.click(screen.getByRole('button', { name: 'Change the chosen' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Change 2 people' }));
    expect(dialog.getByText('Budi Santoso, Siti Aminah')).toBeDefined();
    const change = dialog.getByRole('button', { name: 'Change 2 people' });
    expect(change.getAttribute('aria-disabled')).toBe('true');
    await user.selectOptions(dialog.getByLabelText('Account'), 'Suspend');
    await user.selectOptions(dialog.getByLabelText('Plan of the account'), 'Premium plan');
    await user.selectOptions(await dialog.findByLabelText('Add to a group'), 'Law');
    await user.click(change);
    expect((await dialog.findByRole('alert')).textContent).toBe(
      '1 person changed1 was not changed:Siti Aminah: This is the last administrator.',
    );
    expect(bodies).toEqual([
      { ids: [2, 3], changes: { isSuspended: true, isPremium: true } },
      // Who was refused before is left alone.
      { add: [2] },
    ]);
    expect(dialog.getByRole('button', { name: 'Change 1 person' })).toBeDefined();
    await user.click(dialog.getByRole('button', { name: 'Cancel' }));
    expect(await screen.findByText('1 chosen')).toBeDefined();
  });

  it('asks a group for each person alone once it has refused all of them', async () => {
    show([admin, budi, siti]);
    const user = userEvent.setup();
    await user.click(await screen.findByText('Choose all 2'));
    const bodies: object[] = [];
    serve({ '/api/admin/users': [admin, budi, siti], '/api/admin/groups': [{ id: 7, name: 'Law' }] });
    const answer = globalThis.fetch;
    globalThis.fetch = ((address: string, request: RequestInit) => {
      if (request.method !== 'POST') return answer(address, request);
      const body = JSON.parse(request.body as string) as { remove: number[] };
      bodies.push(body);
      const isRefused = body.remove.includes(3);
      const error = { statusCode: 409, code: 'conflict', message: 'A provider put this person in.' };
      return Promise.resolve({
        ok: !isRefused,
        status: isRefused ? 409 : 200,
        statusText: '',
        headers: { get: () => null },
        text: () => Promise.resolve(JSON.stringify(isRefused ? error : { userIds: [] })),
      });
    }) as unknown as typeof fetch;
    await user.click(screen.getByRole('button', { name: 'Change the chosen' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Change 2 people' }));
    await user.selectOptions(await dialog.findByLabelText('Take out of a group'), 'Law');
    await user.click(dialog.getByRole('button', { name: 'Change 2 people' }));
    expect((await dialog.findByRole('alert')).textContent).toContain('Siti Aminah: A provider put this person in.');
    expect(bodies).toEqual([{ remove: [2, 3] }, { remove: [2] }, { remove: [3] }]);
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
    expect(cells.slice(1, 6)).toEqual(['Budi Santosobudi', 'budi@example.org', '1,234', 'User', 'Free']);
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
