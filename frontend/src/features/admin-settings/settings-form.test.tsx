import { QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { ADMIN_TEXTS, type AdminSettings } from '@tanya/contract';
import { serve } from '../../app/api/fake-server';
import { queryClient } from '../../app/queries/query-client';
import { FakeRouter } from '../../components/layout/fake-router';
import { SettingsForm } from './settings-form';
import { FakeTheme } from '../../components/layout/fake-theme';

const MASK = '••••••••';

const LINKS = { upgradeUrl: '', guestSignupUrl: '', proAppUrl: '', termsUrl: '', contactUrl: '' };

const settings: AdminSettings = {
  siteTitle: 'Tanya',
  welcomeMessage: 'Halo',
  emptyThreadMessage: 'Kosong',
  systemPrompt: 'Be brief.',
  openrouterApiKey: MASK,
  openaiApiKey: '',
  openrouterBaseUrl: '',
  openaiBaseUrl: '',
  guestMessageQuota: 5,
  freeUserMessageQuota: 20,
  premiumUserMessageQuota: -1,
  quotaPeriod: 'daily',
  registrationMode: 'open',
  sharingEnabled: true,
  totpRequired: { admin: false, member: false },
  passwordReset: false,
  guestAddressDailyQuota: 100,
  guestHourlyBudget: 100,
  maxSteps: { guest: 0, free: 3, premium: 10 },
  starters: [],
  defaultLanguage: 'spec',
  builtInTools: { web_search: [], read_page: [], current_time: [], calculate: [], create_image: [] },
  searchBackend: 'auto',
  searxngUrl: '',
  braveApiKey: '',
  tavilyApiKey: '',
  warnings: [],
  updatedAt: '2026-01-01T00:00:00.000Z',
  ...LINKS,
  links: { upgradeUrl: null, guestSignupUrl: null, proAppUrl: null, termsUrl: null, contactUrl: null },
  demo: false,
};

function Page({ shown }: { shown: AdminSettings }) {
  return (
    <FakeTheme>
      <QueryClientProvider client={queryClient}>
        <FakeRouter path="/admin/settings">
          <SettingsForm settings={shown} />
        </FakeRouter>
      </QueryClientProvider>
    </FakeTheme>
  );
}

const show = async () => {
  queryClient.clear();
  const { rerender } = render(<Page shown={settings} />);
  // A query by text is a hundred times as fast as one by label, which jsdom computes for each field.
  await screen.findByText('Site Title');
  return {
    user: userEvent.setup({ delay: null }),
    /** Shows what another admin has saved. */
    update: (changes: Partial<AdminSettings>) => rerender(<Page shown={{ ...settings, ...changes }} />),
    get title() {
      return screen.getByLabelText<HTMLInputElement>('Site Title');
    },
    get openrouter() {
      return screen.getByLabelText<HTMLInputElement>(/^OpenRouter API Key/);
    },
    get openai() {
      return screen.getByLabelText<HTMLInputElement>(/^OpenAI API Key/);
    },
  };
};

/** Answers and records the bodies that the form sends. */
function serveAndRecord(answer: unknown, others: Record<string, unknown> = {}): unknown[] {
  serve({ '/api/admin/general-settings': answer, '/api/admin/connections': [], ...others });
  const bodies: unknown[] = [];
  const server = globalThis.fetch;
  globalThis.fetch = (address, init) => {
    if (init?.method === 'PATCH') bodies.push(JSON.parse(init.body as string));
    return server(address, init);
  };
  return bodies;
}

const save = () => screen.getByRole('button', { name: ADMIN_TEXTS.settings.save });

test('masks a saved key', async () => {
  serve({ '/api/admin/general-settings': { ...settings, openaiApiKey: MASK } });
  const { user, openrouter, openai } = await show();
  await user.clear(openrouter);
  await user.type(openrouter, 'sk-or-new');
  await user.type(openai, 'sk-first');
  await user.click(save());
  await waitFor(() => expect([openrouter.value, openai.value]).toEqual([MASK, MASK]));
});

test('sends the changed fields alone', async () => {
  const bodies = serveAndRecord({ ...settings, registrationMode: 'closed' });
  const { user } = await show();
  const mode = screen.getByLabelText<HTMLSelectElement>('New accounts');
  expect(screen.getByText('No unsaved changes')).toBeDefined();
  await user.selectOptions(mode, 'Closed');
  expect(screen.getByText('1 unsaved change')).toBeDefined();
  await user.click(save());
  await waitFor(() => expect(bodies).toEqual([{ registrationMode: 'closed' }]));
  expect(mode.value).toBe('closed');
  expect(await screen.findByText('No unsaved changes')).toBeDefined();
});

test('keeps an edited field and the unsaved state when another admin saves', async () => {
  const bodies = serveAndRecord(settings);
  const { user, update, title } = await show();
  await user.clear(title);
  await user.type(title, 'Mine');
  update({ welcomeMessage: 'Theirs', siteTitle: 'Theirs' });
  await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>('Welcome Message').value).toBe('Theirs'));
  expect(title.value).toBe('Mine');
  expect(screen.getByText('1 unsaved change')).toBeDefined();
  await user.click(save());
  await waitFor(() => expect(bodies).toEqual([{ siteTitle: 'Mine' }]));
});

test('discards the changes', async () => {
  serveAndRecord(settings);
  const { user, title } = await show();
  await user.type(title, ' again');
  await user.click(screen.getByRole('button', { name: 'Discard' }));
  expect(title.value).toBe('Tanya');
  expect(screen.getByText('No unsaved changes')).toBeDefined();
  // The button of the focus is gone.
  await waitFor(() => expect(document.activeElement).toBe(save()));
});

test('reports invalid fields in the bar, which leads to the first of them', async () => {
  const bodies = serveAndRecord(settings);
  const { user } = await show();
  const upgrade = screen.getByLabelText('Upgrade link');
  await user.type(upgrade, 'javascript:alert(1)');
  await user.click(save());
  const report = await screen.findByRole('button', { name: '1 field needs attention' });
  screen.getByLabelText('Site Title').focus();
  await user.click(report);
  expect(document.activeElement).toBe(upgrade);
  expect(bodies).toEqual([]);
});

test('shows why a save failed until the next one', async () => {
  serveAndRecord({ statusCode: 503, code: 'unavailable', message: 'The database is away.' });
  const { user, title } = await show();
  await user.type(title, '!');
  await user.click(save());
  expect(await screen.findByText('Not saved. The database is away.')).toBeDefined();
  expect(title.value).toBe('Tanya!');
});

test('replaces the built-in ideas by own ones and moves them', async () => {
  const bodies = serveAndRecord({ ...settings, starters: ['Second', 'First'] });
  const { user } = await show();
  await user.click(screen.getByRole('button', { name: 'Start with an empty list' }));
  await user.type(screen.getByLabelText('Idea 1'), 'First{Enter}');
  await user.type(screen.getByLabelText('Idea 2'), 'Second{Enter}');
  await user.click(screen.getByRole('button', { name: 'Move idea 2 up' }));
  await user.click(save());
  await waitFor(() => expect(bodies).toEqual([{ starters: ['Second', 'First'] }]));
  await waitFor(() => expect(screen.queryByLabelText('Idea 3')).toBeNull());
});

test('moves the focus to an added idea', async () => {
  const { user } = await show();
  const hasFocus = (label: string) =>
    waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toBe(label));
  await user.click(screen.getByRole('button', { name: 'Start with an empty list' }));
  await hasFocus('Idea 1');
  await user.keyboard('One{Enter}');
  await hasFocus('Idea 2');
  await user.keyboard('Two');
  await user.click(screen.getByRole('button', { name: 'Add idea' }));
  await hasFocus('Idea 3');
  await user.paste('Three\nFour');
  await hasFocus('Idea 5');
});

test.each(['Remove idea 1', 'Reset to default'])('keeps the focus in the list of ideas after %s', async (name) => {
  serveAndRecord(settings);
  const { user } = await show();
  await user.click(screen.getByRole('button', { name: 'Start with an empty list' }));
  await user.type(screen.getByLabelText('Idea 1'), 'Only');
  await user.click(screen.getByRole('button', { name }));
  const first = await screen.findByRole('button', { name: 'Edit the built-in ideas' });
  await waitFor(() => expect(document.activeElement).toBe(first));
});

test('refuses an idea that is listed twice', async () => {
  const bodies = serveAndRecord(settings);
  const { user } = await show();
  await user.click(screen.getByRole('button', { name: 'Start with an empty list' }));
  await user.click(screen.getByLabelText('Idea 1'));
  await user.paste('Same\n Same \nOther');
  await user.click(save());
  expect(await screen.findByText('This idea is listed twice: Same')).toBeDefined();
  expect(bodies).toEqual([]);
});

test('tests a key before it is saved', async () => {
  const tested: unknown[] = [];
  const openai = { id: 2, kind: 'openai', isBuiltIn: true };
  serve({
    '/api/admin/connections': [openai],
    '/api/admin/connections/test': { ok: false, fault: 'unauthorized', message: 'The key was refused.', ms: 90 },
  });
  const server = globalThis.fetch;
  globalThis.fetch = (address, init) => {
    if (init?.method === 'POST') tested.push(JSON.parse(init.body as string));
    return server(address, init);
  };
  const { user, openai: field } = await show();
  await user.type(field, 'sk-new');
  await user.click(screen.getAllByRole('button', { name: 'Test connection' })[1]!);
  expect(await screen.findByText('The key was refused.')).toBeDefined();
  expect(tested).toEqual([{ id: 2, apiKey: 'sk-new' }]);
});

test('drops the result of a search test when the service is changed', async () => {
  serve({
    '/api/admin/connections': [],
    '/api/admin/search/test': { ok: true, results: 3, message: 'Connected. The search returned results.', ms: 90 },
  });
  const { user } = await show();
  await user.click(screen.getByRole('button', { name: 'Test search' }));
  expect(await screen.findByText(/^Connected\. The search returned results\./)).toBeDefined();
  await user.type(screen.getByLabelText('SearXNG address'), 'https://other.example');
  expect(screen.queryByText(/^Connected\./)).toBeNull();
});

test('saves the roles that need a second factor', async () => {
  const totpRequired = { admin: true, member: false };
  const bodies = serveAndRecord({ ...settings, totpRequired });
  const { user } = await show();
  await user.selectOptions(screen.getByLabelText('Required for'), 'Admins');
  await user.click(save());
  await waitFor(() => expect(bodies).toEqual([{ totpRequired }]));
});

test('keeps text that is typed during the save', async () => {
  serve({ '/api/admin/general-settings': settings });
  const answer = globalThis.fetch;
  let letAnswer = () => undefined as void;
  const held = new Promise<void>((resolve) => (letAnswer = resolve));
  globalThis.fetch = (...call) => held.then(() => answer(...call));

  const { user, openrouter } = await show();
  const title = screen.getByLabelText<HTMLInputElement>('Site Title');
  await user.clear(openrouter);
  await user.type(openrouter, 'sk-or-new');
  await user.click(save());
  await user.type(title, ' again');
  letAnswer();
  await waitFor(() => expect(openrouter.value).toBe(MASK));
  expect(title.value).toBe('Tanya again');
});

test('switches a tool for a plan', async () => {
  const bodies = serveAndRecord(settings);
  const { user } = await show();
  const calculator = screen.getByRole('group', { name: /^Calculator/ });
  // jsdom lacks the pointer events that the checkbox expects of a real click.
  fireEvent.click(within(calculator).getByLabelText('Free members'));
  await user.selectOptions(screen.getByLabelText('Search service'), 'Off');
  await user.click(save());
  await waitFor(() => expect(bodies).toEqual([{ searchBackend: 'off', builtInTools: { calculate: ['free'] } }]));
});

test('switches sharing off, beside the numbers of the shared links', async () => {
  const bodies = serveAndRecord(
    { ...settings, sharingEnabled: false },
    {
      '/api/admin/shares': { links: 12, accounts: 3, files: 4, fileBytes: 2 * 1024 * 1024 },
    },
  );
  const { user } = await show();
  expect(await screen.findByText('Links: 12 · accounts: 3 · files: 4 (2.0 MB)')).toBeDefined();
  await user.selectOptions(screen.getByLabelText('Sharing'), 'Off: existing links do not work');
  await user.click(save());
  await waitFor(() => expect(bodies).toEqual([{ sharingEnabled: false }]));
});
