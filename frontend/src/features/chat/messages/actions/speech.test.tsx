import { jest } from '@jest/globals';
import { act } from '@testing-library/react';
import { queryClient } from '../../../../app/queries/query-client';
import { currentUserQuery } from '../../../../app/queries/user.query';
import { sari } from '../../../../app/session/fake-user';
import { beginConversation } from '../../../../app/state/conversation';

const cancel = jest.fn();
Object.assign(window, {
  SpeechSynthesisUtterance: class {},
  speechSynthesis: { speak: () => undefined, cancel, getVoices: () => [] },
});

document.documentElement.lang = 'en';
const { startReading, useSpeech } = await import('./speech');

const show = (user: typeof sari | null) =>
  act(async () => {
    queryClient.setQueryData(currentUserQuery.queryKey, user);
    await new Promise((resolve) => setTimeout(resolve, 5));
  });

function read(): void {
  document.body.innerHTML = '<p>One sentence.</p>';
  startReading(1, () => [...document.querySelectorAll('p')]);
  expect(useSpeech.getState().messageId).toBe(1);
}

test('the voice ends with the session of an account, not with a login', async () => {
  await show(null);
  read();
  await show(sari);
  expect(useSpeech.getState().messageId).toBe(1);
  await show(null);
  expect(useSpeech.getState().messageId).toBeNull();
  expect(cancel).toHaveBeenCalled();
});

test('the voice ends with the conversation of a guest', () => {
  read();
  beginConversation();
  expect(useSpeech.getState().messageId).toBeNull();
});
