import { screen, waitFor, within } from '@testing-library/dom';
import { cleanup, render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { AdminModel, ModelPriceChange } from '@tanya/contract';
import { queryClient } from '../../app/queries/query-client';
import { FakePage } from '../../components/layout/fake-page';
import { EditModelDialog } from './edit-model-dialog';

const model: AdminModel = {
  id: 3,
  modelId: 'maker/large',
  name: 'Large',
  displayName: 'Large',
  provider: 'Maker',
  displayProvider: 'Maker',
  description: null,
  isEnabled: true,
  kind: 'chat',
  isKindGuessed: false,
  isApiEnabled: true,
  isInPicker: true,
  access: 'everyone',
  groupIds: [],
  isPremium: false,
  isDefault: false,
  connectionId: null,
  upstreamId: null,
  systemPrompt: null,
  parameters: null,
  fallbacks: [],
  contextLength: null,
  pricing: { prompt: '0.00000015', reasoning: '0.5' },
  inputModalities: null,
  outputModalities: null,
  supportedParameters: null,
  reasoningEfforts: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
};

const CHANGES: ModelPriceChange[] = [
  { validFrom: '2026-11-20T09:00:00.000Z', source: 'admin', pricing: { prompt: '0.00000015' } },
  { validFrom: '2026-10-01T09:00:00.000Z', source: 'catalogue', pricing: { prompt: '0.0000002', image: '0.04' } },
  { validFrom: '2026-09-01T09:00:00.000Z', source: null, pricing: {} },
];

let models: AdminModel[] = [];

beforeEach(() => (models = []));

/** Serves the history and answers changes of the model. Returns the bodies of the changes. */
function show(answer: { status: number; body: unknown } = { status: 200, body: model }): unknown[] {
  queryClient.clear();
  const changes: unknown[] = [];
  globalThis.fetch = ((address: string, { method, body }: RequestInit) => {
    const isChange = method === 'PATCH';
    if (isChange) changes.push(JSON.parse(body as string));
    const bodies = address.endsWith('/prices') ? CHANGES : address.endsWith('/admin/models') ? models : [];
    const served = isChange ? answer : { status: 200, body: bodies };
    return Promise.resolve({
      ok: served.status < 400,
      status: served.status,
      statusText: '',
      headers: { get: () => null },
      text: () => Promise.resolve(JSON.stringify(served.body)),
    });
  }) as unknown as typeof fetch;
  rerender = render(<Dialog shown={model} />).rerender;
  return changes;
}

const Dialog = ({ shown }: { shown: AdminModel }) => (
  <FakePage>
    <EditModelDialog model={shown} onClose={() => undefined} />
  </FakePage>
);

let rerender: ReturnType<typeof render>['rerender'];
/** Shows the model as another admin has changed it. */
const update = (change: Partial<AdminModel>) => rerender(<Dialog shown={{ ...model, ...change }} />);

const save = (user: ReturnType<typeof userEvent.setup>) =>
  user.click(screen.getByRole('button', { name: /save changes/i }));

it('shows the prices per million tokens, their source and the earlier ones', async () => {
  show();
  expect((await screen.findByLabelText<HTMLInputElement>('Input tokens')).value).toBe('0.15');
  expect(screen.getByLabelText<HTMLInputElement>('Image').value).toBe('');
  expect(await screen.findByText(/^Since .*2026.*, set by an admin\.$/)).toBeDefined();
  await userEvent.setup().click(screen.getByRole('button', { name: 'Show earlier prices' }));
  const earlier = within(screen.getByRole('list', { name: 'Earlier prices' })).getAllByRole('listitem');
  expect(earlier[0]?.textContent).toMatch(/^Input tokens: \$0\.20 per 1M · Image: \$0\.04 each.*catalogue\.$/);
  expect(earlier[1]?.textContent).toMatch(/^All prices unknown.*source is unknown\.$/);
});

it('stores the edited fields alone', async () => {
  const changes = show();
  const user = userEvent.setup();
  const output = await screen.findByLabelText('Output tokens');
  await save(user);
  await waitFor(() => expect(changes).toEqual([{}]));
  await user.type(output, '0.6');
  await user.clear(screen.getByLabelText('Input tokens'));
  await save(user);
  await waitFor(() => expect(changes).toHaveLength(2));
  expect(changes[1]).toEqual({ pricing: { completion: '0.0000006', reasoning: '0.5' } });
});

it('keeps what another admin has changed since it opened', async () => {
  const changes = show();
  const user = userEvent.setup({ delay: null });
  const output = await screen.findByLabelText('Output tokens');
  await user.type(screen.getByLabelText('Description'), 'Mine');
  await user.type(output, '0.6');
  update({ name: 'Theirs', isPremium: true, pricing: { prompt: '0.0000003' } });
  await save(user);
  const pricing = { prompt: '0.0000003', completion: '0.0000006' };
  await waitFor(() => expect(changes).toEqual([{ description: 'Mine', pricing }]));
});

it('stores a guessed kind once it is chosen', async () => {
  const changes = show();
  const user = userEvent.setup({ delay: null });
  const guessed = { ...model, kind: 'embedding' as const, isKindGuessed: true };
  cleanup();
  render(<Dialog shown={guessed} />);
  const kind = await screen.findByLabelText<HTMLSelectElement>('Kind');
  expect(kind.value).toBe('');
  await save(user);
  await user.selectOptions(kind, 'Embeddings');
  await save(user);
  await waitFor(() => expect(changes).toEqual([{}, { kind: 'embedding' }]));
});

it('chooses the models that answer instead, one after another', async () => {
  models = ['maker/small', 'maker/tiny', 'maker/image'].map((modelId, index) => ({
    ...model,
    id: 10 + index,
    modelId,
    displayName: modelId.slice(6),
    kind: modelId === 'maker/image' ? 'image' : 'chat',
  }));
  models.push(model);
  const changes = show();
  const user = userEvent.setup({ delay: null });
  await screen.findByRole('option', { name: 'small (maker/small)' });
  const options = within(screen.getByLabelText('First fallback')).getAllByRole('option');
  expect(options.map(({ textContent }) => textContent)).toEqual(['None', 'small (maker/small)', 'tiny (maker/tiny)']);
  expect(screen.queryByLabelText('Second fallback')).toBeNull();
  await user.selectOptions(screen.getByLabelText('First fallback'), 'maker/tiny');
  await user.selectOptions(await screen.findByLabelText('Second fallback'), 'maker/small');
  await save(user);
  await waitFor(() => expect(changes).toEqual([{ fallbacks: ['maker/tiny', 'maker/small'] }]));
});

it('keeps a fallback that was deleted until another one is chosen', async () => {
  const changes = show();
  update({});
  cleanup();
  render(<Dialog shown={{ ...model, fallbacks: ['gone/model'] }} />);
  const first = await screen.findByLabelText<HTMLSelectElement>('First fallback');
  expect(first.value).toBe('gone/model');
  await userEvent.setup({ delay: null }).selectOptions(first, '');
  await save(userEvent.setup());
  await waitFor(() => expect(changes).toEqual([{ fallbacks: [] }]));
});

it('shows fallbacks with another kind while there are some, and the refusal of the kind at its field', async () => {
  const field = { field: 'kind', code: 'fallback_of_others', message: 'Other models have this one as a fallback.' };
  const body = { statusCode: 400, code: 'invalid', message: 'Invalid.', details: [field] };
  show({ status: 400, body });
  cleanup();
  render(<Dialog shown={{ ...model, fallbacks: ['maker/small'] }} />);
  const user = userEvent.setup({ delay: null });
  const kind = await screen.findByLabelText('Kind');
  await user.selectOptions(kind, 'Embeddings');
  await user.selectOptions(screen.getByLabelText('First fallback'), '');
  expect(screen.queryByLabelText('First fallback')).toBeNull();
  await save(user);
  await waitFor(() => expect(kind.getAttribute('aria-invalid')).toBe('true'));
});

it('refuses a price that is no decimal at its field', async () => {
  const changes = show();
  const user = userEvent.setup();
  const field = await screen.findByLabelText('Output tokens');
  await user.type(field, '-1');
  await save(user);
  await waitFor(() => expect(field.getAttribute('aria-invalid')).toBe('true'));
  expect(changes).toEqual([]);
});

it('shows the refusal of the server at its field', async () => {
  const details = [
    { field: 'pricing.image', rule: 'matches', message: 'pricing.image must be a decimal of at least 0' },
  ];
  show({ status: 400, body: { statusCode: 400, code: 'invalid', message: 'Invalid.', details } });
  const user = userEvent.setup();
  const field = await screen.findByLabelText('Image');
  await user.type(field, '0.04');
  await save(user);
  await waitFor(() => expect(field.getAttribute('aria-invalid')).toBe('true'));
});
