import { QueryClientProvider } from '@tanstack/react-query';
import { INSTRUCTIONS_MAX, type Preferences } from '@tanya/contract';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { serve } from '../../../app/api/fake-server';
import { preferencesQuery } from '../../../app/queries/preferences.query';
import { queryClient } from '../../../app/queries/query-client';
import { InstructionsForm } from './instructions-form';
import { FakeTheme } from '../../../components/layout/fake-theme';

const stored: Preferences = { modelId: null, aboutMe: 'A sailor', howToAnswer: '', useInstructions: true };

function show() {
  render(
    <QueryClientProvider client={queryClient}>
      <FakeTheme>
        <InstructionsForm userId={1} />
      </FakeTheme>
    </QueryClientProvider>,
  );
  return userEvent.setup();
}

beforeEach(() => queryClient.clear());

test('shows the stored instructions, and saves the changed ones alone', async () => {
  serve({ '/api/user/preferences': stored });
  const user = show();
  const aboutMe = await screen.findByLabelText<HTMLTextAreaElement>('About me');
  expect(aboutMe.value).toBe('A sailor');
  const save = screen.getByRole('button', { name: 'Save instructions' });
  expect(save.getAttribute('aria-disabled')).toBe('true');
  await user.type(screen.getByLabelText('How to answer'), 'Briefly.');
  // Another device has saved the rest meanwhile.
  serve({ '/api/user/preferences': { ...stored, aboutMe: 'A captain', howToAnswer: 'Briefly.' } });
  const server = globalThis.fetch;
  const sent: unknown[] = [];
  globalThis.fetch = (address, init) => {
    sent.push(JSON.parse(init!.body as string));
    return server(address, init);
  };
  await user.click(save);
  await waitFor(() => expect(save.getAttribute('aria-disabled')).toBe('true'));
  expect(queryClient.getQueryData(preferencesQuery(1).queryKey)?.howToAnswer).toBe('Briefly.');
  expect(sent).toEqual([{ howToAnswer: 'Briefly.' }]);
  expect(aboutMe.value).toBe('A captain');
});

test('keeps the typed text when the save is refused', async () => {
  serve({ '/api/user/preferences': stored });
  const user = show();
  const field = await screen.findByLabelText<HTMLTextAreaElement>('How to answer');
  await user.type(field, 'Briefly.');
  serve({ '/api/user/preferences': { statusCode: 503, code: 'storage_unavailable', message: 'Not now.' } });
  await user.click(screen.getByRole('button', { name: 'Save instructions' }));
  const save = screen.getByRole('button', { name: 'Save instructions' });
  await waitFor(() => expect(save.getAttribute('aria-disabled')).toBeNull());
  expect(field.value).toBe('Briefly.');
});

test('bounds each text, and shows its length near the maximum', async () => {
  serve({ '/api/user/preferences': stored });
  const user = show();
  const aboutMe = await screen.findByLabelText<HTMLTextAreaElement>('About me');
  expect(aboutMe.maxLength).toBe(INSTRUCTIONS_MAX);
  expect(screen.queryByText(/of 1,500 characters/)).toBeNull();
  await user.clear(aboutMe);
  await user.paste('x'.repeat(1_300));
  expect(screen.getByText('1,300 of 1,500 characters')).toBeDefined();
});

test('offers to read the instructions again after a failure', async () => {
  serve({});
  const user = show();
  await screen.findByText('The instructions could not be loaded.');
  serve({ '/api/user/preferences': stored });
  await user.click(screen.getByRole('button', { name: 'Try Again' }));
  expect(await screen.findByLabelText('About me')).toBeDefined();
});
