import { jest } from '@jest/globals';
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { FALLBACK_MODEL, MODEL_KINDS, type ProjectDetails, type ProjectFile, type PublicModel } from '@tanya/contract';
import { serve } from '../../app/api/fake-server';
import { rejectStrayFiles } from '../../app/browser/stray-files';
import { queryClient } from '../../app/queries/query-client';
import { toaster } from '../../components/feedback/toast-store';
import { FakePage } from '../../components/layout/fake-page';
import { stopAdding } from './file-uploads';
import { ProjectPage } from './project-page';

const project: ProjectDetails = {
  id: 7,
  name: 'Harbour',
  instructions: 'Be brief.',
  modelId: null,
  tools: [],
  role: 'owner',
  owner: { id: 1, username: 'ana', fullName: null },
  members: [],
  embedding: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
};

/** @returns what is served, which a test may change */
function show(details: ProjectDetails, files: ProjectFile[]): Record<string, unknown> {
  queryClient.clear();
  const served: Record<string, unknown> = {
    '/api/projects/7': details,
    '/api/projects/7/files': files,
    '/api/chat/threads': [],
    '/api/models': [],
  };
  serve(served);
  render(
    <FakePage path="/projects/7">
      <ProjectPage id={7} />
    </FakePage>,
  );
  return served;
}

/** Records the requests that change something, with their bodies. */
function recordChanges(): unknown[] {
  const sent: unknown[] = [];
  const server = globalThis.fetch;
  globalThis.fetch = (address, init) => {
    const { method = 'GET', body } = init ?? {};
    if (method !== 'GET') sent.push([method, address, ...(typeof body === 'string' ? [JSON.parse(body)] : [])]);
    return server(address, init);
  };
  return sent;
}

const field = (label: string) => screen.findByLabelText<HTMLInputElement>(label);

it('keeps typed instructions when another change of the project is read', async () => {
  const served = show(project, []);
  await userEvent.setup({ delay: null }).type(await field('Instructions'), ' And kind.');
  const colleague = { id: 2, username: 'budi', fullName: null, role: 'viewer' };
  served['/api/projects/7'] = { ...project, members: [colleague], updatedAt: '2026-01-02T00:00:00.000Z' };
  await queryClient.invalidateQueries({ queryKey: ['projects'] });
  await screen.findByText('budi');
  expect((await field('Instructions')).value).toBe('Be brief. And kind.');
  served['/api/projects/7'] = { ...project, name: 'Port', updatedAt: '2026-01-03T00:00:00.000Z' };
  await queryClient.invalidateQueries({ queryKey: ['projects'] });
  await waitFor(async () => expect((await field('Name')).value).toBe('Port'));
  expect((await field('Instructions')).value).toBe('Be brief. And kind.');
});

it('sends the edited fields alone, and is unsaved until they are stored', async () => {
  const served = show(project, []);
  const sent = recordChanges();
  const user = userEvent.setup({ delay: null });
  const instructions = await field('Instructions');
  expect(instructions.form!.dataset.saved).toBe('true');
  await user.type(instructions, ' And kind.');
  expect(instructions.form!.dataset.saved).toBe('false');
  // Another editor has changed the name meanwhile.
  served['/api/projects/7'] = { ...project, name: 'Port', instructions: 'Be brief. And kind.' };
  await user.click(screen.getByRole('button', { name: 'Save project' }));
  await waitFor(async () => expect((await field('Name')).value).toBe('Port'));
  expect(sent).toEqual([['PATCH', '/api/projects/7', { instructions: 'Be brief. And kind.' }]]);
  expect((await field('Instructions')).form!.dataset.saved).toBe('true');
});

it('shows the chosen model also when the models are read after the project', async () => {
  const served = show({ ...project, modelId: 'a/chat' }, []);
  delete served['/api/models'];
  const model = await field('Model of new chats');
  expect(model.value).toBe('');
  served['/api/models'] = [{ ...FALLBACK_MODEL, modelId: 'a/chat', name: 'a/chat' }];
  await queryClient.invalidateQueries({ queryKey: ['models'] });
  await waitFor(async () => expect((await field('Model of new chats')).value).toBe('a/chat'));
});

it('changes the members that there are now, one change after the other', async () => {
  const member = (id: number, username: string) => ({ id, username, fullName: null, role: 'viewer' as const });
  const [budi, citra, dewi] = [member(2, 'budi'), member(3, 'citra'), member(4, 'dewi')];
  const served = show({ ...project, members: [budi, citra, dewi] }, []);
  const sent = recordChanges();
  const user = userEvent.setup({ delay: null });
  const role = await screen.findByLabelText('Role of citra');
  // Who has left meanwhile is not put back.
  served['/api/projects/7'] = { ...project, members: [citra, dewi] };
  served['/api/projects/7/members'] = { members: [] };
  served['/api/projects/7/members/4'] = {};
  await user.selectOptions(role, 'Editor');
  await user.click(screen.getByRole('button', { name: 'Remove dewi' }));
  await user.type(screen.getByLabelText('Exact username'), 'eka');
  await user.click(screen.getByRole('button', { name: 'Add member' }));
  await waitFor(() => expect(sent).toHaveLength(3));
  const [first, second] = [
    { userId: 3, role: 'viewer' },
    { userId: 4, role: 'viewer' },
  ];
  expect(sent).toEqual([
    ['PUT', '/api/projects/7/members', { members: [{ ...first, role: 'editor' }, second] }],
    ['DELETE', '/api/projects/7/members/4'],
    ['PUT', '/api/projects/7/members', { members: [first, second, { username: 'eka', role: 'viewer' }] }],
  ]);
});

it('a member who has left meanwhile counts as removed', async () => {
  const dewi = { id: 4, username: 'dewi', fullName: null, role: 'viewer' as const };
  const served = show({ ...project, members: [dewi] }, []);
  const notices = jest.spyOn(toaster, 'create');
  const remove = await screen.findByRole('button', { name: 'Remove dewi' });
  served['/api/projects/7'] = { ...project, members: [] };
  await userEvent.click(remove);
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Remove dewi' })).toBeNull());
  expect(notices).not.toHaveBeenCalled();
  notices.mockRestore();
});

it('offers the models that a chat can use, and the present one', async () => {
  const served = show({ ...project, modelId: 'a/off' }, []);
  const model = (modelId: string, changes: Partial<PublicModel> = {}) => ({
    ...FALLBACK_MODEL,
    modelId,
    name: modelId,
    ...changes,
  });
  served['/api/models'] = [
    ...MODEL_KINDS.map((kind) => model(`a/${kind}`, { kind })),
    model('a/hidden', { isInPicker: false }),
    model('a/off', { isEnabled: false }),
    model('b/off', { isEnabled: false }),
  ];
  await queryClient.invalidateQueries({ queryKey: ['models'] });
  const options = async () => within(await screen.findByLabelText('Model of new chats')).getAllByRole('option');
  const names = async () => (await options()).map(({ textContent }) => textContent);
  await waitFor(async () => expect(await names()).toEqual(['The usual one', 'a/chat', 'a/image', 'a/off']));
});

const file: ProjectFile = {
  id: '0b6e3e50-0000-4000-8000-000000000000',
  name: 'rules.pdf',
  type: 'application/pdf',
  size: 1_000,
  state: 'ready',
  sections: 3,
  chunks: 3,
  characters: 900,
  isSemantic: false,
  createdAt: '2026-01-01T00:00:00.000Z',
};

it.each<[string, ProjectDetails['embedding'], string, string]>([
  ['without an embedding model', null, 'their words', '3 sections'],
  [
    'with one, and what a new file costs',
    { name: 'Small vectors', usdPerMillionTokens: '0.02' },
    'Small vectors lets a search find their meaning. Embedding a new file costs you about $0.001 for 100 pages.',
    '3 sections · found by words until it is embedded',
  ],
  ['with one without a price', { name: 'Small vectors', usdPerMillionTokens: null }, 'costs is unknown', '3 sections'],
])('says how files are found %s', async (_title, embedding, hint, row) => {
  show({ ...project, embedding }, [file]);
  await screen.findByText((text) => text.includes(hint));
  await screen.findByText((text) => text.includes(row));
});

describe('files that are dropped or pasted', () => {
  const text = new File(['text'], 'note.txt', { type: 'text/plain' });

  const dataOf = (types: string[] = []) => ({
    files: [text],
    items: [{ kind: 'file', webkitGetAsEntry: () => null, getAsFile: () => text }],
    types: ['Files', ...types],
    getData: (type: string) => (types.includes(type) ? 'note.txt' : ''),
  });

  let sent: jest.SpiedFunction<XMLHttpRequest['send']>;
  beforeEach(() => (sent = jest.spyOn(XMLHttpRequest.prototype, 'send').mockImplementation(() => undefined)));
  // What is on its way is not that of the next test.
  afterEach(() => {
    act(() => stopAdding(7));
    jest.restoreAllMocks();
  });

  const added = () => screen.findByRole('progressbar', { name: 'Adding files: 0 of 1' });

  it('are added wherever they are dropped, which the page says while they are above it', async () => {
    show(project, []);
    const at = await screen.findByRole('heading', { name: 'Harbour' });
    fireEvent.dragEnter(at, { dataTransfer: dataOf() });
    await screen.findByText('Drop to add to the project');
    expect(fireEvent.drop(at, { dataTransfer: dataOf() })).toBe(false);
    await added();
    expect(sent).toHaveBeenCalledTimes(1);
    expect(screen.queryByText('Drop to add to the project')).toBeNull();
  });

  it('are not added by viewers, whose browser does not open them either', async () => {
    rejectStrayFiles();
    show({ ...project, role: 'viewer' }, []);
    const at = await screen.findByRole('heading', { name: 'Harbour' });
    fireEvent.dragEnter(at, { dataTransfer: dataOf() });
    const above = { ...dataOf(), dropEffect: 'copy' };
    expect(fireEvent.dragOver(at, { dataTransfer: above })).toBe(false);
    expect(above.dropEffect).toBe('none');
    expect(fireEvent.drop(at, { dataTransfer: dataOf() })).toBe(false);
    expect(fireEvent.paste(document.body, { clipboardData: dataOf() })).toBe(true);
    expect(screen.queryByText('Drop to add to the project')).toBeNull();
    expect(sent).not.toHaveBeenCalled();
  });

  it('are not added by a drop on a dialog', async () => {
    rejectStrayFiles();
    show(project, [file]);
    await userEvent.click(await screen.findByRole('button', { name: 'Delete the file rules.pdf' }));
    const dialog = await screen.findByRole('alertdialog');
    fireEvent.dragEnter(dialog, { dataTransfer: dataOf() });
    expect(fireEvent.drop(dialog, { dataTransfer: dataOf() })).toBe(false);
    expect(screen.queryByText('Drop to add to the project')).toBeNull();
    expect(sent).not.toHaveBeenCalled();
  });

  it('are added when they are pasted, but for the text of a field and for dialogs', async () => {
    show(project, [file]);
    const field = await screen.findByLabelText('Search these files');
    expect(fireEvent.paste(field, { clipboardData: dataOf(['text/plain']) })).toBe(true);
    await userEvent.click(await screen.findByRole('button', { name: 'Delete the file rules.pdf' }));
    expect(fireEvent.paste(await screen.findByRole('alertdialog'), { clipboardData: dataOf() })).toBe(true);
    expect(sent).not.toHaveBeenCalled();
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    expect(fireEvent.paste(document.body, { clipboardData: dataOf(['text/plain']) })).toBe(false);
    await added();
    expect(sent).toHaveBeenCalledTimes(1);
  });
});
