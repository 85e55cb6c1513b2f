import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { Link } from '@tanstack/react-router';
import userEvent from '@testing-library/user-event';
import type { Failure, ProviderConnection } from '@tanya/contract';
import { queryClient } from '../../app/queries/query-client';
import { FakeRoute } from '../../components/layout/fake-route';
import FailuresPage from './failures-page';

const refused: Failure = {
  id: 9,
  createdAt: '2026-11-22T09:41:00.000Z',
  code: 'provider_refused',
  status: 400,
  provider: { message: 'Bad value of top_p', type: 'invalid_request_error', param: 'top_p' },
  modelId: 'openai/gpt-4o-mini',
  connection: { id: 2, name: 'OpenAI' },
  user: { id: 7, username: 'budi' },
  apiKey: { id: 3, name: 'nightly report' },
  generationId: '9b2f1c3e-0000-4000-8000-000000000001',
  requestId: 'request-1',
};

const own: Failure = {
  ...refused,
  id: 8,
  code: 'internal',
  status: 500,
  provider: null,
  modelId: null,
  connection: null,
  user: null,
  apiKey: null,
  generationId: null,
};

interface Served {
  items: Failure[];
  next?: string;
  status?: number;
}

const CONNECTIONS = [{ id: 2, name: 'OpenAI' }] as ProviderConnection[];

const FIRST = '/api/admin/failures?limit=50';

/** Serves pages by their address. Returns the requested addresses. */
function show(pages: Record<string, Served>): string[] {
  queryClient.clear();
  const requested: string[] = [];
  globalThis.fetch = ((address: string) => {
    const isList = address.startsWith('/api/admin/failures');
    if (isList) requested.push(address);
    const { items = [], next = null, status = 200 } = pages[address] ?? {};
    return Promise.resolve({
      ok: status < 400,
      status,
      statusText: '',
      headers: { get: () => next },
      text: () => Promise.resolve(JSON.stringify(isList ? items : CONNECTIONS)),
    });
  }) as unknown as typeof fetch;
  render(
    <FakeRoute>
      <Link to="/">Failures</Link>
      <FailuresPage />
    </FakeRoute>,
  );
  return requested;
}

const list = async () => within(await screen.findByRole('list', { name: 'Failed answers and requests' }));

it('shows the cause of a failure and who met it', async () => {
  show({ [FIRST]: { items: [refused] } });
  const entry = await list();
  expect(entry.getByRole('heading', { name: 'provider_refused · 400' })).toBeDefined();
  expect(entry.getByText('Bad value of top_p')).toBeDefined();
  expect(entry.getAllByRole('term').map(({ textContent }) => textContent)).toEqual([
    ...[
      'Code',
      'As the provider names it',
      'Model',
      'Connection',
      'Person',
      'API key',
      'Id of the answer',
      'Id of the request',
    ],
  ]);
  expect(entry.getByText('type: invalid_request_error, param: top_p')).toBeDefined();
});

it('shows our sentence where no provider spoke, and only what is known', async () => {
  show({ [FIRST]: { items: [own] } });
  const entry = await list();
  expect(entry.getByText('The server failed to handle this request. Please try again.')).toBeDefined();
  expect(entry.getAllByRole('term').map(({ textContent }) => textContent)).toEqual(['Code', 'Id of the request']);
});

it('finds a failure by a pasted id, with blanks around it', async () => {
  const requested = show({ [FIRST]: { items: [] }, [`${FIRST}&id=request-1`]: { items: [refused] } });
  expect(await screen.findByText('Nothing has failed.')).toBeDefined();
  fireEvent.change(screen.getByRole('searchbox', { name: 'Id of an answer or a request' }), {
    target: { value: ' request-1 ' },
  });
  await list();
  expect(requested.at(-1)).toBe(`${FIRST}&id=request-1`);
  expect(screen.getByRole('link', { name: 'CSV file' }).getAttribute('href')).toBe(
    '/api/admin/failures.csv?id=request-1',
  );
});

it.each([
  ['provider_refused', 'code=provider_refused'],
  ['openai/gpt-4o-mini', 'modelId=openai%2Fgpt-4o-mini'],
  ['OpenAI', 'connectionId=2'],
  ['budi', 'userId=7'],
])('leads from %s to all of its failures, and back', async (name, query) => {
  const requested = show({ [FIRST]: { items: [refused] }, [`${FIRST}&${query}`]: { items: [refused] } });
  const user = userEvent.setup();
  await user.click((await list()).getByRole('button', { name }));
  await waitFor(() => expect(requested.at(-1)).toBe(`${FIRST}&${query}`));
  await user.click(screen.getByRole('button', { name: 'Show all failures' }));
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Show all failures' })).toBeNull());
});

it('shows all failures again when the link to the page is followed', async () => {
  show({ [FIRST]: { items: [refused] } });
  const user = userEvent.setup();
  await user.click((await list()).getByRole('button', { name: 'budi' }));
  await screen.findByRole('button', { name: 'Show all failures' });
  await user.click(screen.getByRole('link', { name: 'Failures' }));
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Show all failures' })).toBeNull());
});

it('narrows by code, connection and days, and says when nothing matches', async () => {
  const requested = show({ [FIRST]: { items: [refused] } });
  await list();
  const user = userEvent.setup();
  await user.type(screen.getByRole('textbox', { name: 'Code' }), 'timeout_idle');
  await screen.findByRole('option', { name: 'OpenAI' });
  await user.selectOptions(screen.getByRole('combobox', { name: 'Connection' }), 'OpenAI');
  fireEvent.change(screen.getByLabelText('From'), { target: { value: '2026-11-01' } });
  expect(await screen.findByText('No failure matches.')).toBeDefined();
  await waitFor(() => expect(requested.at(-1)).toBe(`${FIRST}&code=timeout_idle&connectionId=2&from=2026-11-01`));
});

it('appends older failures, and keeps those that it has when they cannot be read', async () => {
  const pages: Record<string, Served> = {
    [FIRST]: { items: [refused], next: '9' },
    [`${FIRST}&before=9`]: { items: [], status: 500 },
  };
  show(pages);
  await list();
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: 'Load older failures' }));
  expect((await screen.findByRole('alert')).textContent).toContain('could not be loaded');
  pages[`${FIRST}&before=9`] = { items: [own] };
  await user.click(screen.getByRole('button', { name: 'Load older failures' }));
  expect(await screen.findByRole('heading', { name: 'internal · 500' })).toBeDefined();
  expect(screen.getByRole('heading', { name: 'provider_refused · 400' })).toBeDefined();
});

it('reports a failed read and tries again', async () => {
  const pages: Record<string, Served> = { [FIRST]: { items: [], status: 500 } };
  show(pages);
  expect(await screen.findByText('The failures could not be loaded')).toBeDefined();
  pages[FIRST] = { items: [refused] };
  await userEvent.setup().click(screen.getByRole('button', { name: /try again/i }));
  expect(await list()).toBeDefined();
});
