import { jest } from '@jest/globals';
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Link } from '@tanstack/react-router';
import { type AuditEntry, SYSTEM_ACTOR } from '@tanya/contract';
import { queryClient } from '../../app/queries/query-client';
import AuditPage from './audit-page';
import { FakeRoute } from '../../components/layout/fake-route';

const suspended: AuditEntry = {
  id: 9,
  createdAt: '2026-11-22T09:41:00.000Z',
  actor: { id: 1, username: 'admin', key: null },
  address: '203.0.113.7',
  action: 'user.update',
  target: { kind: 'user', id: 2, name: 'budi' },
  before: { isSuspended: false, quotaOverride: null },
  after: { isSuspended: true, quotaOverride: 50 },
};

interface Served {
  entries: AuditEntry[];
  next?: string;
  status?: number;
}

/** Serves pages by their address without the page size. Returns the requested addresses. */
function show(pages: Record<string, Served>, path?: string): string[] {
  queryClient.clear();
  const requested: string[] = [];
  globalThis.fetch = ((address: string) => {
    requested.push(address);
    const { entries = [], next = null, status = 200 } = pages[address.replace('limit=50', '')] ?? {};
    return Promise.resolve({
      ok: status < 400,
      status,
      statusText: '',
      headers: { get: () => next },
      text: () => Promise.resolve(JSON.stringify(entries)),
    });
  }) as unknown as typeof fetch;
  render(
    <FakeRoute path={path}>
      <AuditPage />
      <Link to="/usage">Usage</Link>
      <Link to="/" search={{ query: 'later' }}>
        Later
      </Link>
    </FakeRoute>,
  );
  return requested;
}

afterEach(() => void jest.restoreAllMocks());

const list = () => screen.findByRole('list', { name: 'Changes' });
const FIRST = '/api/admin/audit?';

it('shows who changed what, from where, with the values before and after', async () => {
  show({ [FIRST]: { entries: [suspended] } });
  const entry = within(await list());
  expect(entry.getByRole('heading', { name: 'Account changed: budi' })).toBeDefined();
  expect(entry.getByText('By admin, from 203.0.113.7')).toBeDefined();
  expect(entry.getAllByRole('term').map((field) => field.textContent)).toEqual(['Suspended', 'Message limit']);
  const values = entry.getAllByRole('definition').map((value) => value.textContent);
  expect(values).toEqual(['Beforeno', 'Afteryes', 'Beforeempty', 'After50']);
});

it('shows only the values that exist of a new and of a deleted target, and unknown kinds by their own name', async () => {
  const created = { ...suspended, id: 8, action: 'model.create', before: null, after: { field0: 'Small' } };
  const deleted = { ...suspended, id: 7, action: 'user.merge', before: { name: 'Old' }, after: null };
  show({ [FIRST]: { entries: [created, deleted] } });
  const entries = within(await list());
  expect(entries.getAllByRole('term').map((field) => field.textContent)).toEqual(['field0', 'Name']);
  expect(entries.getAllByRole('definition').map((value) => value.textContent)).toEqual(['AfterSmall', 'BeforeOld']);
  expect(entries.getByRole('heading', { name: 'user.merge: budi' })).toBeDefined();
});

it('names a backup, which has no id, by its kind', async () => {
  const backup: AuditEntry = {
    ...suspended,
    actor: { id: SYSTEM_ACTOR, username: 'system', key: null },
    action: 'backup.create',
    target: { kind: 'backup', id: 0, name: null },
    before: null,
    after: { rows: 9, files: 2 },
  };
  show({ [FIRST]: { entries: [backup] } });
  const entry = within(await list());
  expect(entry.getByRole('heading', { name: 'Backup made' })).toBeDefined();
  expect(entry.getAllByRole('term').map((field) => field.textContent)).toEqual(['Rows', 'Files']);
});

it('shows the first values of a large change, and all of them on request', async () => {
  const after = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`field${index}`, index]));
  show({ [FIRST]: { entries: [{ ...suspended, before: null, after }] } });
  expect(within(await list()).getAllByRole('definition')).toHaveLength(4);
  const toggle = screen.getByRole('button', { name: 'Show all values' });
  await userEvent.setup().click(toggle);
  expect(screen.getAllByRole('definition')).toHaveLength(9);
  expect(toggle.getAttribute('aria-expanded')).toBe('true');
});

it('shows a value that is cut on request', async () => {
  // jsdom has no layout.
  jest.spyOn(Element.prototype, 'scrollHeight', 'get').mockReturnValue(80);
  jest.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(60);
  show({ [FIRST]: { entries: [suspended] } });
  await list();
  const toggle = screen.getByRole('button', { name: 'Show all values' });
  await userEvent.setup().click(toggle);
  expect(toggle.textContent).toBe('Show fewer values');
});

it('shows no button when all values are shown', async () => {
  show({ [FIRST]: { entries: [suspended] } });
  await list();
  expect(screen.queryByRole('button', { name: 'Show all values' })).toBeNull();
});

it('appends older entries by the cursor until the last page', async () => {
  const older = { ...suspended, id: 3, target: { ...suspended.target, name: 'sari' } };
  const requested = show({
    [FIRST]: { entries: [suspended], next: '9' },
    [`${FIRST}&before=9`]: { entries: [older] },
  });
  await list();
  const button = screen.getByRole('button', { name: 'Load older changes' });
  await userEvent.setup().click(button);
  expect(await screen.findByRole('heading', { name: 'Account changed: sari' })).toBeDefined();
  expect(screen.getByRole('heading', { name: 'Account changed: budi' })).toBeDefined();
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Load older changes' })).toBeNull());
  expect(requested.at(-1)).toBe('/api/admin/audit?limit=50&before=9');
});

it('keeps the entries and the button when older ones cannot be read', async () => {
  show({ [FIRST]: { entries: [suspended], next: '9' }, [`${FIRST}&before=9`]: { entries: [], status: 500 } });
  await list();
  await userEvent.setup().click(screen.getByRole('button', { name: 'Load older changes' }));
  expect((await screen.findByRole('alert')).textContent).toContain('could not be loaded');
  expect(screen.getByRole('heading', { name: 'Account changed: budi' })).toBeDefined();
  expect(screen.getByRole('button', { name: 'Load older changes' })).toBeDefined();
});

it('narrows list and file to words, kind and days', async () => {
  const address = `${FIRST}&query=50+%25&target=user&from=2026-11-01`;
  const requested = show({ [FIRST]: { entries: [] }, [address]: { entries: [suspended] } });
  const user = userEvent.setup();
  await user.type(await screen.findByRole('searchbox', { name: 'Search names and values' }), ' 50 %');
  await user.selectOptions(screen.getByRole('combobox', { name: 'Kind' }), 'Accounts');
  fireEvent.change(screen.getByLabelText('From'), { target: { value: '2026-11-01' } });
  await list();
  expect(requested.at(-1)).toBe('/api/admin/audit?limit=50&query=50+%25&target=user&from=2026-11-01');
  expect(screen.getByRole('link', { name: 'CSV file' }).getAttribute('href')).toBe(
    '/api/admin/audit.csv?query=50+%25&target=user&from=2026-11-01',
  );
  await user.type(screen.getByRole('textbox', { name: 'Administrator' }), 'x');
  expect(await screen.findByText('No change matches.')).toBeDefined();
});

it('reports an empty log', async () => {
  show({ [FIRST]: { entries: [] } });
  expect(await screen.findByText('No administrator has changed anything yet.')).toBeDefined();
});

it('reports a failed read and tries again', async () => {
  const pages: Record<string, Served> = { [FIRST]: { entries: [], status: 500 } };
  show(pages);
  expect(await screen.findByText('The audit log could not be loaded')).toBeDefined();
  pages[FIRST] = { entries: [suspended] };
  await userEvent.setup().click(screen.getByRole('button', { name: /try again/i }));
  expect(await list()).toBeDefined();
});

it('stays narrowed while the next page loads, and follows a link to another filter', async () => {
  const requested = show({}, '/?query=night');
  await waitFor(() => expect(requested).toEqual([expect.stringContaining('query=night')]));
  await userEvent.setup().click(screen.getByText('Usage'));
  await waitFor(() => expect(screen.getByText('Usage').getAttribute('aria-current')).toBe('page'));
  expect(screen.getByRole<HTMLInputElement>('searchbox').value).toBe('night');
  await userEvent.setup().click(screen.getByText('Later'));
  await waitFor(() => expect(screen.getByRole<HTMLInputElement>('searchbox').value).toBe('later'));
});
