import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ApiKey, PublicModel } from '@tanya/contract';
import { serve } from '../../../app/api/fake-server';
import { queryClient } from '../../../app/queries/query-client';
import { report } from './fake-key';
import { KeysPanel } from './keys-panel';
import { FakePage } from '../../../components/layout/fake-page';

const PATH = '/api/user/keys';

const models = ['small', 'large'].map(
  (name) => ({ modelId: `openai/${name}`, name: `GPT ${name}`, isEnabled: true, isApiEnabled: true }) as PublicModel,
);

interface Call {
  method: string;
  address: string;
  body: unknown;
}

function show(keys: ApiKey[] | null, answers: Record<string, unknown> = {}): Call[] {
  queryClient.clear();
  serve({ '/api/models': models, ...(keys && { [PATH]: keys }), ...answers });
  const server = globalThis.fetch;
  const calls: Call[] = [];
  globalThis.fetch = (address, init) => {
    const { method = 'GET', body } = init ?? {};
    if (method !== 'GET')
      calls.push({
        method,
        address: address as string,
        body: body === undefined ? undefined : JSON.parse(body as string),
      });
    return server(address, init);
  };
  render(
    <FakePage>
      <KeysPanel />
    </FakePage>,
  );
  return calls;
}

// jsdom has none; checkboxes of a dialog send them.
beforeAll(() => void Object.defineProperty(window, 'PointerEvent', { value: MouseEvent, configurable: true }));

it('shows the end of each key, its use and its limits', async () => {
  show([
    report,
    {
      ...report,
      id: 2,
      name: 'Old',
      hint: '1234',
      models: null,
      messageCap: null,
      expiresAt: report.createdAt,
      budgetUsd: '5',
      spentUsd: '0.25',
    },
  ]);
  const [first, second] = await screen.findAllByRole('listitem');
  await waitFor(() => expect(first!.textContent).toContain('Models: GPT small'));
  for (const text of ['Nightly report', '…wxyz', 'never used', '12 of 100 messages used', 'never expires']) {
    expect(first!.textContent).toContain(text);
  }
  for (const text of ['Expired', '12 messages used', '$0.25 of $5.00 spent', 'expires on', 'All models']) {
    expect(second!.textContent).toContain(text);
  }
});

it('creates a key with limits and shows it as a whole until it is confirmed', async () => {
  const calls = show([]);
  const user = userEvent.setup();
  expect(await screen.findByText('You have no keys for programs yet.')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'New key' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'New API key' }));
  await user.click(dialog.getByRole('button', { name: 'Create key' }));
  expect(await dialog.findByText('Please enter a name.')).toBeDefined();
  await user.type(dialog.getByLabelText('Name'), 'Report');
  await user.type(dialog.getByLabelText('Message limit'), '20');
  await user.click(dialog.getByLabelText('All models'));
  await user.click(await dialog.findByLabelText('GPT large'));
  serve({ [PATH]: { ...report, key: 'sk-the-whole-key' }, '/api/models': models });
  const server = globalThis.fetch;
  globalThis.fetch = (address, init) => {
    if (init?.method === 'POST')
      calls.push({ method: 'POST', address: address as string, body: JSON.parse(init.body as string) });
    // The list is read again after the creation.
    else if (address === PATH) serve({ [PATH]: [report] });
    return server(address, init);
  };
  await user.click(dialog.getByRole('button', { name: 'Create key' }));

  const created = within(await screen.findByRole('dialog', { name: 'Your new API key' }));
  expect(created.getByText('sk-the-whole-key')).toBeDefined();
  await waitFor(() => expect(document.activeElement?.textContent).toContain('Copy'));
  expect(created.queryByRole('button', { name: 'Close' })).toBeNull();
  await user.click(created.getByRole('button', { name: 'Done' }));
  await waitFor(() => expect(screen.queryByText('sk-the-whole-key')).toBeNull());
  expect(calls).toEqual([
    {
      method: 'POST',
      address: PATH,
      body: { name: 'Report', expiresAt: null, messageCap: 20, budgetUsd: null, models: ['openai/large'] },
    },
  ]);
});

it('renames a key with the changed field alone', async () => {
  const calls = show([report], { [`${PATH}/3`]: report });
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Edit Nightly report' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit API key' }));
  const name = dialog.getByLabelText('Name');
  await user.clear(name);
  await user.type(name, 'Weekly report');
  await user.click(dialog.getByRole('button', { name: 'Save Changes' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(calls).toEqual([{ method: 'PATCH', address: `${PATH}/3`, body: { name: 'Weekly report' } }]);
});

it('shows a refusal of the server at its field', async () => {
  const refusal = {
    statusCode: 400,
    code: 'invalid',
    message: 'invalid',
    details: [{ field: 'expiresAt', message: 'Please choose a time in the future.', code: 'future' }],
  };
  show([report], { [`${PATH}/3`]: refusal });
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Edit Nightly report' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit API key' }));
  await user.type(dialog.getByLabelText('Name'), ' 2');
  await user.click(dialog.getByRole('button', { name: 'Save Changes' }));
  expect(await dialog.findByText('Please choose a time in the future.')).toBeDefined();
});

it('deletes a key after a confirmation', async () => {
  const calls = show([report], { [`${PATH}/3`]: null });
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Delete Nightly report' }));
  const dialog = within(await screen.findByRole('alertdialog', { name: 'Delete API key' }));
  expect(calls).toEqual([]);
  await user.click(dialog.getByRole('button', { name: 'Delete' }));
  await waitFor(() => expect(calls).toEqual([{ method: 'DELETE', address: `${PATH}/3`, body: undefined }]));
});

it('creates no more keys than the server allows', async () => {
  show(Array.from({ length: 20 }, (_, index) => ({ ...report, id: index + 1 })));
  expect(await screen.findByText(/which is the maximum/)).toBeDefined();
  expect(screen.getByRole('button', { name: 'New key' }).getAttribute('aria-disabled')).toBe('true');
});

it('reports a failed read and tries again', async () => {
  show(null);
  expect(await screen.findByText(/The keys could not be loaded/)).toBeDefined();
  serve({ [PATH]: [report], '/api/models': models });
  await userEvent.setup().click(screen.getByRole('button', { name: /try again/i }));
  expect(await screen.findByText('Nightly report')).toBeDefined();
});

it('stays open while a key is created, so that its value is shown', async () => {
  show([]);
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'New key' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'New API key' }));
  await user.type(dialog.getByLabelText('Name'), 'Report');
  const server = globalThis.fetch;
  let create: () => void = () => undefined;
  const created = new Promise<void>((resolve) => (create = resolve));
  globalThis.fetch = async (address, init) => {
    if (init?.method !== 'POST') return server(address, init);
    await created;
    serve({ [PATH]: { ...report, key: 'sk-the-whole-key' }, '/api/models': models });
    const answer = await globalThis.fetch(address, init);
    serve({ [PATH]: [report], '/api/models': models });
    return answer;
  };
  await user.click(dialog.getByRole('button', { name: 'Create key' }));
  const cancel = dialog.getByRole('button', { name: 'Cancel' });
  await waitFor(() => expect(cancel.getAttribute('aria-disabled')).toBe('true'));
  await user.click(cancel);
  await user.keyboard('{Escape}');
  create();
  expect(await screen.findByText('sk-the-whole-key')).toBeDefined();
});

it('counts a single message in the singular', async () => {
  show([{ ...report, messageCap: null, messagesUsed: 1 }]);
  expect(await screen.findByText(/^1 message used/)).toBeDefined();
});

it('makes a key for administration for an admin, with the password or a new sign-in', async () => {
  const calls = show([]);
  queryClient.setQueryData(['user'], { username: 'boss', isAdmin: true });
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'New key' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'New API key' }));
  await user.type(dialog.getByLabelText('Name'), 'Automation');
  await user.selectOptions(dialog.getByLabelText('For'), 'Administration');
  expect(dialog.queryByLabelText('Message limit')).toBeNull();
  await user.type(dialog.getByLabelText('Your password'), 'secret-123');
  await user.click(dialog.getByRole('button', { name: 'Create key' }));
  await waitFor(() =>
    expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({
      name: 'Automation',
      scope: 'admin',
      password: 'secret-123',
      expiresAt: null,
    }),
  );
});

it('offers no key for administration to a member', async () => {
  show([]);
  queryClient.setQueryData(['user'], { username: 'budi', isAdmin: false });
  await userEvent.setup().click(await screen.findByRole('button', { name: 'New key' }));
  await screen.findByRole('dialog', { name: 'New API key' });
  expect(screen.queryByLabelText('For')).toBeNull();
});

it('tells the owner that an administrator has limited a key', async () => {
  show([{ ...report, adminLimits: { messageCap: 100 } }]);
  expect(await screen.findByText(/An administrator has limited this key/)).toBeDefined();
});
