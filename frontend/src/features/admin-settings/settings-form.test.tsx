import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { ADMIN_TEXTS, type AdminSettings } from '@tanya/contract';
import { serve } from '../../app/api/fake-server';
import { queryClient } from '../../app/queries/query-client';
import { MASK, SETTINGS } from './fake-settings';
import type { SectionId } from './sections';
import { SettingsForm } from './settings-form';
import { FakePage } from '../../components/layout/fake-page';

function Page({ shown }: { shown: AdminSettings }) {
  return (
    <FakePage path="/admin/settings">
      <SettingsForm settings={shown} />
    </FakePage>
  );
}

/** For queries by label, because jsdom compares each field with every label of the page. */
const section = (id: SectionId) => within(document.getElementById(id)!);

const show = async () => {
  queryClient.clear();
  const { rerender } = render(<Page shown={SETTINGS} />);
  await screen.findByText('Site Title');
  return {
    user: userEvent.setup({ delay: null }),
    /** Shows what another admin has saved. */
    update: (changes: Partial<AdminSettings>) => rerender(<Page shown={{ ...SETTINGS, ...changes }} />),
    get title() {
      return section('application').getByLabelText<HTMLInputElement>('Site Title');
    },
    get openrouter() {
      return section('providers').getByLabelText<HTMLInputElement>(/^OpenRouter API Key/);
    },
    get openai() {
      return section('providers').getByLabelText<HTMLInputElement>(/^OpenAI API Key/);
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

const OVERTAKEN = 'One of these fields was changed elsewhere meanwhile. Saving replaces the other value.';

const save = () => screen.getByRole('button', { name: ADMIN_TEXTS.settings.save });

test('masks a saved key', async () => {
  serve({ '/api/admin/general-settings': { ...SETTINGS, openaiApiKey: MASK } });
  const { user, openrouter, openai } = await show();
  await user.clear(openrouter);
  await user.type(openrouter, 'sk-or-new');
  await user.type(openai, 'sk-first');
  await user.click(save());
  await waitFor(() => expect([openrouter.value, openai.value]).toEqual([MASK, MASK]));
});

test('sends the changed fields alone', async () => {
  const bodies = serveAndRecord({ ...SETTINGS, registrationMode: 'closed' });
  const { user } = await show();
  const mode = section('registration').getByLabelText<HTMLSelectElement>('New accounts');
  expect(screen.getByText('No unsaved changes')).toBeDefined();
  await user.selectOptions(mode, 'Closed');
  expect(screen.getByText('1 unsaved change')).toBeDefined();
  await user.click(save());
  await waitFor(() => expect(bodies).toEqual([{ registrationMode: 'closed' }]));
  expect(mode.value).toBe('closed');
  expect(await screen.findByText('No unsaved changes')).toBeDefined();
});

test('shows what the changes will do', async () => {
  serveAndRecord(SETTINGS);
  const { user, title, openai } = await show();
  await user.type(title, '!');
  await user.type(openai, 'sk-secret');
  await user.click(screen.getByRole('button', { name: 'What will change' }));
  expect(screen.getAllByRole('term').map(({ textContent }) => textContent)).toEqual(['Site Title', 'OpenAI API Key']);
  const values = screen.getAllByRole('definition').map(({ textContent }) => textContent);
  expect(values).toEqual(['BeforeTanya', 'AfterTanya!', 'Beforeempty', `After${MASK}`]);
  await user.type(title, '?');
  expect(screen.getAllByRole('definition')[1]?.textContent).toBe('AfterTanya!?');
});

test('keeps an edited field and the unsaved state when another admin saves', async () => {
  const bodies = serveAndRecord(SETTINGS);
  const { user, update, title } = await show();
  await user.clear(title);
  await user.type(title, 'Mine');
  update({ welcomeMessage: 'Theirs', siteTitle: 'Theirs' });
  await waitFor(() =>
    expect(section('application').getByLabelText<HTMLInputElement>('Welcome Message').value).toBe('Theirs'),
  );
  expect(title.value).toBe('Mine');
  expect(screen.getByText('1 unsaved change')).toBeDefined();
  expect(screen.getByText(OVERTAKEN)).toBeDefined();
  await user.click(save());
  await waitFor(() => expect(bodies).toEqual([{ siteTitle: 'Mine' }]));
  await waitFor(() => expect(screen.queryByText(OVERTAKEN)).toBeNull());
});

test('does not call a change of another field a change of an edited one', async () => {
  serveAndRecord(SETTINGS);
  const { user, update, title } = await show();
  await user.type(title, ' again');
  update({ welcomeMessage: 'Theirs' });
  await waitFor(() =>
    expect(section('application').getByLabelText<HTMLInputElement>('Welcome Message').value).toBe('Theirs'),
  );
  expect(screen.queryByText(OVERTAKEN)).toBeNull();
});

test('discards the changes', async () => {
  serveAndRecord(SETTINGS);
  const { user, title } = await show();
  await user.type(title, ' again');
  await user.click(screen.getByRole('button', { name: 'Discard' }));
  expect(title.value).toBe('Tanya');
  expect(screen.getByText('No unsaved changes')).toBeDefined();
  // The button of the focus is gone.
  await waitFor(() => expect(document.activeElement).toBe(save()));
});

test('reports invalid fields in the bar, which leads to the first of them', async () => {
  const bodies = serveAndRecord(SETTINGS);
  const { user } = await show();
  const upgrade = section('links').getByLabelText('Upgrade link');
  await user.type(upgrade, 'javascript:alert(1)');
  await user.click(save());
  const report = await screen.findByRole('button', { name: '1 field needs attention' });
  section('application').getByLabelText('Site Title').focus();
  await user.click(report);
  expect(document.activeElement).toBe(upgrade);
  expect(bodies).toEqual([]);
});

test('shows why a save failed until the next one', async () => {
  serveAndRecord({ statusCode: 503, code: 'unavailable', message: 'The database is away.' });
  const { user, update, title } = await show();
  await user.type(title, '!');
  await user.click(save());
  expect(await screen.findByText('Not saved. The database is away.')).toBeDefined();
  expect(title.value).toBe('Tanya!');
  update({ siteTitle: 'Theirs' });
  expect(await screen.findByText(OVERTAKEN)).toBeDefined();
});

test('saves own ideas in place of the built-in ones, without the empty row', async () => {
  const bodies = serveAndRecord({ ...SETTINGS, starters: ['First'] });
  const { user } = await show();
  await user.click(section('ideas').getByRole('button', { name: 'Start with an empty list' }));
  await user.click(section('ideas').getByLabelText('Idea 1'));
  await user.paste('First');
  await user.keyboard('{Enter}');
  await user.click(save());
  await waitFor(() => expect(bodies).toEqual([{ starters: ['First'] }]));
  await waitFor(() => expect(section('ideas').queryByLabelText('Idea 2')).toBeNull());
});

test('saves the roles that need a second factor', async () => {
  const totpRequired = { admin: true, member: false };
  const bodies = serveAndRecord({ ...SETTINGS, totpRequired });
  const { user } = await show();
  await user.selectOptions(section('two-factor').getByLabelText('Required for'), 'Admins');
  await user.click(save());
  await waitFor(() => expect(bodies).toEqual([{ totpRequired }]));
});

test('keeps text that is typed during the save', async () => {
  serve({ '/api/admin/general-settings': SETTINGS });
  const answer = globalThis.fetch;
  let letAnswer = () => undefined as void;
  const held = new Promise<void>((resolve) => (letAnswer = resolve));
  globalThis.fetch = (...call) => held.then(() => answer(...call));

  const { user, openrouter } = await show();
  const title = section('application').getByLabelText<HTMLInputElement>('Site Title');
  await user.clear(openrouter);
  await user.type(openrouter, 'sk-or-new');
  await user.click(save());
  await user.type(title, ' again');
  letAnswer();
  await waitFor(() => expect(openrouter.value).toBe(MASK));
  expect(title.value).toBe('Tanya again');
});

test('switches a tool for a plan', async () => {
  const bodies = serveAndRecord(SETTINGS);
  const { user } = await show();
  const calculator = section('tools').getByRole('group', { name: /^Calculator/ });
  // jsdom lacks the pointer events that the checkbox expects of a real click.
  fireEvent.click(within(calculator).getByLabelText('Free members'));
  await user.selectOptions(section('tools').getByLabelText('Search service'), 'Off');
  await user.click(save());
  await waitFor(() => expect(bodies).toEqual([{ searchBackend: 'off', builtInTools: { calculate: ['free'] } }]));
});

test('switches sharing off, beside the numbers of the shared links', async () => {
  const bodies = serveAndRecord(
    { ...SETTINGS, sharingEnabled: false },
    {
      '/api/admin/shares': { links: 12, accounts: 3, files: 4, fileBytes: 2 * 1024 * 1024 },
    },
  );
  const { user } = await show();
  expect(await screen.findByText('Links: 12 · accounts: 3 · files: 4 (2.0 MB)')).toBeDefined();
  await user.selectOptions(section('sharing').getByLabelText('Sharing'), 'Off: existing links do not work');
  await user.click(save());
  await waitFor(() => expect(bodies).toEqual([{ sharingEnabled: false }]));
});

test('says in words of the webhook why its test failed', async () => {
  const webhook = { ok: false, fault: 'refused' };
  serve({ '/api/admin/general-settings': SETTINGS, '/api/admin/alerts/test': { ok: false, webhook, mail: null } });
  const { user } = await show();
  await user.click(screen.getByRole('button', { name: 'Send a test alert' }));
  const failure = 'The webhook has not received the test: The host refused the connection.';
  await screen.findByText((text) => text.startsWith(failure) && !text.includes('base URL'));
});
