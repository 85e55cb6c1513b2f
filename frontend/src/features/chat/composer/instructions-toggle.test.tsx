import { jest } from '@jest/globals';
import { QueryClientProvider } from '@tanstack/react-query';
import type { Preferences } from '@tanya/contract';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { holdRequests, serve } from '../../../app/api/fake-server';
import { queryClient } from '../../../app/queries/query-client';
import { threadQuery } from '../../../app/queries/threads.query';
import { currentUserQuery } from '../../../app/queries/user.query';
import { requests } from '../../../app/socket/fake-socket';
import { FakeTheme } from '../../../components/layout/fake-theme';

jest.unstable_mockModule('../../../app/socket/socket', () => import('../../../app/socket/fake-socket'));
const { default: InstructionsToggle } = await import('./instructions-toggle');
const { chatClient } = await import('../client/chat-client-singleton');

const thread = (useInstructions: boolean | null) => ({ id: 7, title: 'Light', useInstructions }) as never;

const preferences = (useInstructions: boolean): Preferences => ({
  modelId: null,
  aboutMe: 'I teach physics.',
  howToAnswer: '',
  useInstructions,
});

function show(threadId: number | null, byAccount: boolean, chosen?: boolean) {
  const choices: boolean[] = [];
  render(
    <QueryClientProvider client={queryClient}>
      <FakeTheme>
        <InstructionsToggle
          preferences={preferences(byAccount)}
          threadId={threadId}
          chosen={chosen}
          onChoose={(isOn) => choices.push(isOn)}
        />
      </FakeTheme>
    </QueryClientProvider>,
  );
  return { choices, button: screen.getByRole('button', { name: 'Custom instructions' }), user: userEvent.setup() };
}

const { fetch } = globalThis;
afterEach(() => {
  globalThis.fetch = fetch;
});

beforeEach(() => {
  queryClient.clear();
  queryClient.setQueryData(currentUserQuery.queryKey, null);
});

test('a new conversation follows the account until it has a choice of its own', async () => {
  const { choices, button, user } = show(null, true);
  expect(button.getAttribute('aria-pressed')).toBe('true');
  await user.click(button);
  expect(choices).toEqual([false]);
  document.body.replaceChildren();
  expect(show(null, true, false).button.getAttribute('aria-pressed')).toBe('false');
});

test('a thread with a choice of its own does not follow the account', () => {
  queryClient.setQueryData(threadQuery(7).queryKey, thread(false));
  expect(show(7, true).button.getAttribute('aria-pressed')).toBe('false');
});

test('a click switches the thread on the server', async () => {
  queryClient.setQueryData(threadQuery(7).queryKey, thread(null));
  const requested = serve({ '/api/chat/threads/7': thread(false) });
  const { button, user } = show(7, true);
  await user.click(button);
  await waitFor(() => expect(button.getAttribute('aria-pressed')).toBe('false'));
  expect(requested).toEqual(['/api/chat/threads/7']);
});

test('a message waits until the choice of its thread is stored', async () => {
  queryClient.setQueryData(threadQuery(7).queryKey, thread(null));
  serve({ '/api/chat/threads/7': thread(false) });
  const change = holdRequests();
  const { button, user } = show(7, true);
  await user.click(button);
  chatClient.send({ conversation: '7', threadId: 7, model: 'm', content: { text: 'halo' } });
  await waitFor(() => expect(change.isAsked()).toBe(true));
  expect(requests).toEqual([]);
  change.release();
  await waitFor(() => expect(requests).toMatchObject([{ event: 'generation:start', payload: { threadId: 7 } }]));
});

test('a refused switch shows the earlier state', async () => {
  queryClient.setQueryData(threadQuery(7).queryKey, thread(true));
  serve({ '/api/chat/threads/7': { statusCode: 503, code: 'storage_unavailable', message: 'Not now.' } });
  const { button, user } = show(7, true);
  await user.click(button);
  await waitFor(() => expect(button.getAttribute('aria-pressed')).toBe('true'));
});
