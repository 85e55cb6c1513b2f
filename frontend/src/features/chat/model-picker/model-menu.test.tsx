import { QueryClientProvider } from '@tanstack/react-query';
import type { PublicModel, PublicSettings } from '@tanya/contract';
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { queryClient } from '../../../app/queries/query-client';
import { settingsQuery } from '../../../app/queries/settings.query';
import { currentUserQuery } from '../../../app/queries/user.query';
import { COMPOSER_FIELD } from '../../../app/browser/composer-field';
import { matchOnly } from '../../../app/browser/fake-media';
import { CAN_HOVER } from '../../../app/browser/media-queries';
import { ModelPicker } from './model-picker';
import { readModelPreferences } from './model-preferences';
import { FakeTheme } from '../../../components/layout/fake-theme';

const modelOf = (modelId: string, name: string) =>
  ({ modelId, name, provider: 'OpenAI', kind: 'chat', description: null, isPremium: false }) as unknown as PublicModel;
const models = [modelOf('openai/a', 'Alpha'), modelOf('openai/b', 'Beta')] as const;

afterEach(() => {
  matchOnly();
  localStorage.clear();
});

/** Opens the menu of a guest's picker. */
async function open(offered: readonly PublicModel[] = models, isDemo = false) {
  queryClient.setQueryData(currentUserQuery.queryKey, null);
  queryClient.setQueryData(settingsQuery.queryKey, { demo: isDemo } as PublicSettings);
  const picked: string[] = [];
  const choice = {
    offered: [...offered],
    model: models[0],
    mayUsePremium: false,
    suggest: () => undefined,
    pick: (modelId: string) => picked.push(modelId),
    preferences: undefined,
  };
  render(
    <FakeTheme>
      <QueryClientProvider client={queryClient}>
        <ModelPicker choice={choice} />
      </QueryClientProvider>
      <textarea aria-label="Message" {...COMPOSER_FIELD} />
    </FakeTheme>,
  );
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: /^Model: Alpha/ }));
  const search = await screen.findByRole('combobox', { name: 'Search models' });
  await waitFor(() => expect(document.activeElement).toBe(search));
  return { user, picked };
}

test('a chosen model moves the focus to the message field', async () => {
  matchOnly(CAN_HOVER);
  const { user, picked } = await open();
  await user.keyboard('Beta{Enter}');
  expect(picked).toEqual(['openai/b']);
  await waitFor(() => expect(screen.queryByRole('combobox')).toBeNull());
  // A menu that returned the focus would do it in a later frame.
  for (let frame = 0; frame < 3; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Message')));
});

test('Enter of an input method does not choose a model', async () => {
  const { picked } = await open();
  fireEvent.keyDown(screen.getByRole('combobox'), { key: 'Enter', keyCode: 229 });
  expect(picked).toEqual([]);
});

test('the keyboard adds the active model to the favourites and removes it', async () => {
  const { user } = await open();
  await user.keyboard('Beta{Tab}');
  expect(document.activeElement?.textContent).toBe('Add Beta to favourites');
  await user.keyboard('{Enter}');
  const favourites = screen.getByRole('group', { name: 'Favourites' });
  expect(within(favourites).getByRole('option').textContent).toContain('Beta');
  expect(readModelPreferences('guest').favourites).toEqual(['openai/b']);
  await user.keyboard('{Enter}');
  expect(screen.queryByRole('group', { name: 'Favourites' })).toBeNull();
  expect(readModelPreferences('guest').favourites).toEqual([]);
});

test('the menu closes on browser back', async () => {
  await open();
  act(() => void window.dispatchEvent(new PopStateEvent('popstate')));
  await waitFor(() => expect(screen.queryByRole('combobox')).toBeNull());
});

test('a click on the star adds the model to the favourites and leaves the menu open', async () => {
  const { user, picked } = await open();
  const option = screen.getByRole('option', { name: /Beta/ });
  await user.click(within(option).getByTitle('Add to favourites'));
  expect(readModelPreferences('guest').favourites).toEqual(['openai/b']);
  expect(picked).toEqual([]);
  expect(screen.queryByRole('combobox')).not.toBeNull();
});

test('says that the demo answers for the models', async () => {
  await open(models, true);
  expect(screen.getByText(/^Demo: /)).toBeDefined();
  expect(screen.getByLabelText('Model: Alpha Demo').textContent).toBe('Alpha Demo');
});

test('marks context, vision, reasoning and a price of several messages where the server reports them', async () => {
  const traits: Partial<PublicModel> = {
    vision: true,
    reasoningEfforts: ['low', 'high'],
    messageCost: 7,
    contextLength: 128_000,
  };
  await open([...models, { ...modelOf('openai/c', 'Gamma'), ...traits }]);
  const marks = (name: RegExp) => {
    const option = within(screen.getByRole('option', { name }));
    return [
      ...option.queryAllByRole('img').map((mark) => mark.getAttribute('aria-label')),
      option.queryByText(/\d messages/)?.textContent,
    ];
  };
  expect(marks(/Gamma/)).toEqual(['Reasons before it answers', 'Reads images', '7 messages']);
  expect(marks(/Beta/)).toEqual([undefined]);
  expect(screen.getByTitle('Reads up to 128,000 tokens of a chat').textContent).toBe('128K');
});
