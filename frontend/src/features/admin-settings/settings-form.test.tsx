import { ChakraProvider } from '@chakra-ui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { ADMIN_TEXTS, type AdminSettings } from '@tanya/contract';
import { serve } from '../../app/api/fake-server';
import { queryClient } from '../../app/queries/query-client';
import { createTheme } from '../../app/theme/theme';
import { SettingsForm } from './settings-form';

const MASK = '••••••••';

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
  guestAddressDailyQuota: 100,
  guestHourlyBudget: 100,
  warnings: [],
  updatedAt: '2026-01-01T00:00:00.000Z',
  links: { upgradeUrl: null, guestSignupUrl: null, proAppUrl: null },
  demo: false,
};

const show = () => {
  render(
    <ChakraProvider value={createTheme()}>
      <QueryClientProvider client={queryClient}>
        <SettingsForm settings={settings} />
      </QueryClientProvider>
    </ChakraProvider>,
  );
  return {
    user: userEvent.setup(),
    openrouter: screen.getByLabelText<HTMLInputElement>(/^OpenRouter API Key/),
    openai: screen.getByLabelText<HTMLInputElement>(/^OpenAI API Key/),
  };
};

const save = () => screen.getByRole('button', { name: ADMIN_TEXTS.settings.save });

test('masks a saved key', async () => {
  serve({ '/api/admin/general-settings': { ...settings, openaiApiKey: MASK } });
  const { user, openrouter, openai } = show();
  await user.clear(openrouter);
  await user.type(openrouter, 'sk-or-new');
  await user.type(openai, 'sk-first');
  await user.click(save());
  await waitFor(() => expect([openrouter.value, openai.value]).toEqual([MASK, MASK]));
});

test('saves the registration mode', async () => {
  serve({ '/api/admin/general-settings': { ...settings, registrationMode: 'closed' } });
  const answer = globalThis.fetch;
  const bodies: unknown[] = [];
  globalThis.fetch = (address, init) => {
    bodies.push(JSON.parse(init?.body as string));
    return answer(address, init);
  };
  const { user } = show();
  const mode = screen.getByLabelText<HTMLSelectElement>('New accounts');
  expect(mode.value).toBe('open');
  await user.selectOptions(mode, 'Closed');
  await user.click(save());
  await waitFor(() => expect(bodies).toEqual([expect.objectContaining({ registrationMode: 'closed' })]));
  expect(mode.value).toBe('closed');
});

test('keeps text that is typed during the save', async () => {
  serve({ '/api/admin/general-settings': settings });
  const answer = globalThis.fetch;
  let letAnswer = () => undefined as void;
  const held = new Promise<void>((resolve) => (letAnswer = resolve));
  globalThis.fetch = (...call) => held.then(() => answer(...call));

  const { user, openrouter } = show();
  const title = screen.getByLabelText<HTMLInputElement>('Site Title');
  await user.clear(openrouter);
  await user.type(openrouter, 'sk-or-new');
  await user.click(save());
  await user.type(title, ' again');
  letAnswer();
  await waitFor(() => expect(openrouter.value).toBe(MASK));
  expect(title.value).toBe('Tanya again');
});
