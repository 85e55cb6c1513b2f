import { jest } from '@jest/globals';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { LeftOutTool, ServerTool, ToolServer, ToolServerDetails } from '@tanya/contract';
import { serve } from '../../app/api/fake-server';
import { queryClient } from '../../app/queries/query-client';
import ToolServersPage from './tool-servers-page';
import { toaster } from '../../components/feedback/toast-store';
import { FakePage } from '../../components/layout/fake-page';

const PATH = '/api/admin/tool-servers';

const lookup: ServerTool = {
  name: 'lookup',
  title: 'Look up',
  policy: 'ask',
  state: 'active',
  toolName: 'docs_lookup',
  description: 'Looks up a word.',
};

const docs: ToolServer = {
  id: 4,
  name: 'Docs',
  url: 'https://mcp.example/mcp',
  plans: ['free', 'premium'],
  access: 'everyone',
  groupIds: [],
  headerNames: ['Authorization'],
  areHeadersUnreadable: false,
  tools: [lookup],
  leftOut: 0,
  leftOutTools: [],
  lastError: null,
  lastSuccess: '2026-01-01T00:00:00.000Z',
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
};

const unreached: ToolServer = {
  ...docs,
  headerNames: [],
  tools: [],
  lastError: { fault: 'refused', message: 'The host of the tool server refused the connection.', at: docs.createdAt },
  lastSuccess: null,
};

const changedDetails: ToolServerDetails = {
  ...docs,
  definitions: [
    {
      name: 'lookup',
      accepted: { title: 'Look up', description: 'Looks up a word.', schema: { type: 'object' } },
      changed: {
        title: 'Look up',
        description: 'Looks up a word and sends it.',
        schema: { type: 'object', properties: { to: { type: 'string' } } },
        hash: 'f00',
      },
    },
  ],
};

// The blur of a checkbox needs PointerEvent, which jsdom lacks.
beforeAll(() => void Object.defineProperty(window, 'PointerEvent', { value: MouseEvent, configurable: true }));

interface Call {
  method: string;
  address: string;
  body: unknown;
}

/** Serves the answers, which can be replaced meanwhile. Returns the changing calls. */
async function show(answers: Record<string, unknown> = {}) {
  queryClient.clear();
  const served: Record<string, unknown> = { [PATH]: [docs], ...answers };
  serve(served);
  const server = globalThis.fetch;
  const calls: Call[] = [];
  globalThis.fetch = async (address, init) => {
    const method = init?.method ?? 'GET';
    if (method === 'GET') return server(address, init);
    const body: unknown = typeof init?.body === 'string' ? JSON.parse(init.body) : undefined;
    calls.push({ method, address: address as string, body });
    return server(`${method} ${address as string}`, init);
  };
  render(
    <FakePage path="/admin/tools">
      <ToolServersPage />
    </FakePage>,
  );
  return { user: userEvent.setup({ delay: null }), calls, served };
}

const servers = () => screen.findByRole('list', { name: 'Tool Servers' });
const button = (name: string | RegExp) => screen.findByRole('button', { name });
const refusal = (code: string, message: string, details?: unknown, statusCode = 409) => ({
  statusCode,
  code,
  message,
  details,
});

it('shows a server with its plans, headers, health and tools', async () => {
  const leftOutTools: LeftOutTool[] = [
    { name: null, reason: 'no_name' },
    { name: 'lookup', reason: 'duplicate' },
  ];
  await show({ [PATH]: [{ ...docs, leftOut: 2, leftOutTools }] });
  await screen.findByRole('heading', { name: 'Docs' });
  const list = within(await servers());
  expect(list.getByText('https://mcp.example/mcp')).toBeDefined();
  expect(list.getByText('1 tool · Free members · Premium members · Headers: Authorization')).toBeDefined();
  expect(list.getByText(/^Last success/)).toBeDefined();
  expect(list.getByText('An entry without a name')).toBeDefined();
  expect(list.getByText('Another tool has this name (lookup)')).toBeDefined();
  expect(list.getByText('2 tools of the server cannot be used and are left out.')).toBeDefined();
  const tools = within(list.getByRole('list', { name: 'Tools of Docs' }));
  expect(tools.getByRole('listitem').textContent).toContain('Look updocs_lookupLooks up a word.');
  expect(tools.getByRole<HTMLSelectElement>('combobox', { name: 'Policy of Look up' }).value).toBe('ask');
});

it('shows the last failure, and headers that cannot be read', async () => {
  await show({ [PATH]: [unreached, { ...docs, id: 5, name: 'Other', areHeadersUnreadable: true }] });
  expect(await screen.findByText('The host of the tool server refused the connection.')).toBeDefined();
  expect(screen.getByText('Its tools appear here once it answers.')).toBeDefined();
  expect(screen.getByText('APP_SECRET has changed. Please enter the headers again.')).toBeDefined();
});

it('says that there are no servers', async () => {
  await show({ [PATH]: [] });
  expect(await screen.findByText(/^No tool server is connected/)).toBeDefined();
});

it('reports a failed read and tries again', async () => {
  const { user, served } = await show({ [PATH]: refusal('internal', 'Failed.', undefined, 500) });
  expect(await screen.findByText('The tool servers could not be loaded.')).toBeDefined();
  served[PATH] = [docs];
  await user.click(await button(/try again/i));
  expect(await screen.findByRole('heading', { name: 'Docs' })).toBeDefined();
});

it('shows the first tools of a long list and each changed one, and all on request', async () => {
  const tools = Array.from({ length: 14 }, (_, index): ServerTool => ({
    ...lookup,
    name: `t${index}`,
    title: `Tool ${index}`,
    state: index === 12 ? 'changed' : 'active',
  }));
  const { user } = await show({ [PATH]: [{ ...docs, tools }] });
  const list = await screen.findByRole('list', { name: 'Tools of Docs' });
  expect(within(list).getAllByRole('listitem')).toHaveLength(11);
  await user.click(await button('Show all 14 tools'));
  expect(within(list).getAllByRole('listitem')).toHaveLength(14);
});

describe('a policy', () => {
  const select = () => screen.findByRole<HTMLSelectElement>('combobox', { name: 'Policy of Look up' });

  it('is saved at once', async () => {
    const notices = jest.spyOn(toaster, 'create');
    const { user, calls, served } = await show({ [`PATCH ${PATH}/4`]: docs });
    served[PATH] = [docs];
    const policy = await select();
    served[PATH] = [{ ...docs, tools: [{ ...lookup, policy: 'deny' }] }];
    await user.selectOptions(policy, 'Not offered');
    expect(policy.value).toBe('deny');
    const body = { tools: { lookup: 'deny' } };
    await waitFor(() => expect(calls).toEqual([{ method: 'PATCH', address: `${PATH}/4`, body }]));
    await waitFor(() => expect(notices).toHaveBeenCalledWith(expect.objectContaining({ title: 'Policy saved' })));
    await waitFor(() => expect(queryClient.isMutating() + queryClient.isFetching()).toBe(0));
    expect(policy.value).toBe('deny');
    notices.mockRestore();
  });

  it('is sent for each of two quick choices, in their order', async () => {
    const { user, calls, served } = await show({ [`PATCH ${PATH}/4`]: docs });
    const policy = await select();
    served[PATH] = [{ ...docs, tools: [{ ...lookup, policy: 'allow' }] }];
    await user.selectOptions(policy, 'Not offered');
    await user.selectOptions(policy, 'Runs at once');
    expect(policy.value).toBe('allow');
    await waitFor(() => expect(queryClient.isMutating() + queryClient.isFetching()).toBe(0));
    expect(calls.map(({ body }) => body)).toEqual([{ tools: { lookup: 'deny' } }, { tools: { lookup: 'allow' } }]);
    expect(policy.value).toBe('allow');
  });

  it('returns to the stored one when the server refuses, and a server that was deleted meanwhile disappears', async () => {
    const { user, served } = await show({ [`PATCH ${PATH}/4`]: refusal('not_found', 'Gone.', undefined, 404) });
    const policy = await select();
    served[PATH] = [];
    await user.selectOptions(policy, 'Runs at once');
    await waitFor(() => expect(screen.queryByRole('heading', { name: 'Docs' })).toBeNull());
  });
});

describe('a changed tool', () => {
  const changed = { ...docs, tools: [{ ...lookup, state: 'changed' as const }] };
  const answers = { [PATH]: [changed], [`${PATH}/4`]: changedDetails };

  it('is shown with both definitions and accepted with the hash of the new one', async () => {
    const { user, calls, served } = await show({ ...answers, [`PATCH ${PATH}/4`]: docs });
    expect(await screen.findByText(/^1 tool has changed since it was accepted/)).toBeDefined();
    await user.click(await button('Review the change of Look up'));
    const dialog = within(await screen.findByRole('dialog', { name: 'Change of docs_lookup' }));
    const sides = await dialog.findAllByRole('group', { name: 'New' });
    // The title is the same in both.
    expect(sides).toHaveLength(2);
    expect(sides[0]!.querySelector('ins')!.textContent).toBe(' and sends it');
    expect(dialog.getAllByRole('group', { name: 'Accepted' })[0]!.textContent).toContain('Looks up a word.');
    expect(dialog.getByText(/unchanged/)).toBeDefined();
    served[PATH] = [docs];
    await user.click(dialog.getByRole('button', { name: 'Accept change' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(calls.map(({ body }) => body)).toEqual([{ accept: ['lookup'], hashes: { lookup: 'f00' } }]);
    const details = await button('Details of Look up');
    await waitFor(() => expect(document.activeElement).toBe(details));
  });

  it('that changes again is shown anew instead of accepted', async () => {
    const message = 'The tool has changed again. Please review its new definition.';
    const { user, served } = await show({ ...answers, [`PATCH ${PATH}/4`]: refusal('conflict', message) });
    await user.click(await button('Review the change of Look up'));
    const dialog = within(await screen.findByRole('dialog', { name: 'Change of docs_lookup' }));
    const accept = await dialog.findByRole('button', { name: 'Accept change' });
    const [review] = changedDetails.definitions;
    const newer = { ...review!.changed!, description: 'Deletes everything.', hash: 'f01' };
    served[`${PATH}/4`] = { ...changedDetails, definitions: [{ ...review!, changed: newer }] };
    await user.click(accept);
    expect((await dialog.findByRole('alert')).textContent).toBe(message);
    await waitFor(() => expect(dialog.getAllByRole('group', { name: 'New' })[0]!.textContent).toContain('Deletes'));
  });

  it('that another admin has accepted is shown without the button', async () => {
    const { user } = await show({
      ...answers,
      [`${PATH}/4`]: { ...docs, definitions: [{ ...changedDetails.definitions[0]!, changed: null }] },
    });
    await user.click(await button('Review the change of Look up'));
    const dialog = within(await screen.findByRole('dialog', { name: 'docs_lookup' }));
    expect(await dialog.findByText('Looks up a word.')).toBeDefined();
    expect(dialog.queryByRole('button', { name: 'Accept change' })).toBeNull();
  });
});

describe('the dialog', () => {
  async function open(name: string, answers: Record<string, unknown>) {
    const shown = await show(answers);
    await shown.user.click(await button(name));
    return { ...shown, dialog: within(await screen.findByRole('dialog')) };
  }

  it('connects a server with headers and plans', async () => {
    const { user, calls, dialog } = await open('Add server', { [`POST ${PATH}`]: docs });
    await user.click(dialog.getByRole('button', { name: 'Connect' }));
    expect(await dialog.findByText('Please enter the address.')).toBeDefined();
    await user.type(dialog.getByLabelText('Name'), 'Docs');
    await user.type(dialog.getByLabelText('Address'), 'https://mcp.example/mcp');
    await user.click(dialog.getByRole('button', { name: 'Add header' }));
    expect(document.activeElement).toBe(dialog.getByLabelText('Name of header 1'));
    await user.keyboard('Authorization');
    await user.type(dialog.getByLabelText('Value of header 1'), 'Bearer x');
    await user.click(dialog.getByLabelText('Premium members'));
    await user.click(dialog.getByRole('button', { name: 'Connect' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    const body = {
      name: 'Docs',
      url: 'https://mcp.example/mcp',
      headers: { Authorization: 'Bearer x' },
      plans: ['free'],
    };
    expect(calls).toEqual([{ method: 'POST', address: PATH, body }]);
  });

  it('stays open with the failure at its field, and then changes the server that was added', async () => {
    const { user, calls, dialog } = await open('Add server', {
      [`POST ${PATH}`]: unreached,
      [`PATCH ${PATH}/4`]: docs,
    });
    await user.type(dialog.getByLabelText('Name'), 'Docs');
    await user.type(dialog.getByLabelText('Address'), 'https://mcp.example/mcp');
    await user.click(dialog.getByRole('button', { name: 'Connect' }));
    expect(await dialog.findByText(unreached.lastError!.message)).toBeDefined();
    expect(dialog.getByLabelText('Address').getAttribute('aria-invalid')).toBe('true');
    expect(dialog.getByRole('status').textContent).toContain('The server is saved but does not answer.');
    await user.click(dialog.getByRole('button', { name: 'Connect' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(calls.map(({ method, body }) => [method, body])).toEqual([
      ['POST', { name: 'Docs', url: 'https://mcp.example/mcp', headers: {}, plans: ['free', 'premium'] }],
      ['PATCH', { url: 'https://mcp.example/mcp' }],
    ]);
  });

  it('shows a refused name at its field', async () => {
    const message = 'Another tool server has this name. Please choose another one.';
    const conflict = refusal('conflict', message, { params: { reason: 'tool_server_name' } });
    const { user, dialog } = await open('Edit Docs', { [`PATCH ${PATH}/4`]: conflict });
    await user.type(dialog.getByLabelText('Name'), ' 2');
    await user.click(dialog.getByRole('button', { name: 'Save Changes' }));
    expect(await dialog.findByText(message)).toBeDefined();
    expect(document.activeElement).toBe(dialog.getByLabelText('Name'));
  });

  it('keeps stored headers, whose values it does not have, unless one is changed', async () => {
    const { user, calls, dialog } = await open('Edit Docs', { [`PATCH ${PATH}/4`]: docs });
    const value = dialog.getByLabelText<HTMLInputElement>('Value of header 1');
    expect([value.value, value.placeholder]).toEqual(['', 'Stored']);
    await user.clear(dialog.getByLabelText('Name'));
    await user.type(dialog.getByLabelText('Name'), 'Handbook');
    await user.click(dialog.getByRole('button', { name: 'Save Changes' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(calls.map(({ body }) => body)).toEqual([{ name: 'Handbook' }]);
  });

  it('asks for the headers again where the server needs them', async () => {
    const details = [{ field: 'headers', message: 'The address has changed. Please enter the headers again.' }];
    const { user, dialog } = await open('Edit Docs', {
      [`PATCH ${PATH}/4`]: refusal('invalid', 'Invalid.', details, 400),
    });
    await user.type(dialog.getByLabelText('Address'), '2');
    await user.click(dialog.getByRole('button', { name: 'Save Changes' }));
    expect(await dialog.findByText(details[0]!.message)).toBeDefined();
    expect(dialog.getByRole('group', { name: 'Headers' }).getAttribute('aria-describedby')).not.toBeNull();
  });
});

it('refreshes a server', async () => {
  const { user, calls, served } = await show({ [`POST ${PATH}/4/refresh`]: unreached });
  const refresh = await button('Refresh Docs');
  served[PATH] = [{ ...unreached, tools: docs.tools }];
  await user.click(refresh);
  expect(await screen.findByText(unreached.lastError!.message)).toBeDefined();
  expect(calls).toEqual([{ method: 'POST', address: `${PATH}/4/refresh`, body: undefined }]);
});

it('deletes a server after a confirmation and keeps the focus on the page', async () => {
  const other = { ...docs, id: 5, name: 'Other' };
  const { user, calls, served } = await show({ [PATH]: [docs, other], [`DELETE ${PATH}/4`]: null });
  await user.click(await button('Delete Docs'));
  served[PATH] = [other];
  await user.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Delete' }));
  await waitFor(() => expect(screen.queryByRole('heading', { name: 'Docs' })).toBeNull());
  expect(calls).toEqual([{ method: 'DELETE', address: `${PATH}/4`, body: undefined }]);
  await waitFor(() => expect(document.activeElement).not.toBe(document.body));
});
