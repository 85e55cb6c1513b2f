import { TEXTS } from '@tanya/contract';
import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { serve } from '../../app/api/fake-server';
import { queryClient } from '../../app/queries/query-client';
import { useComposerStore } from '../../app/state/composer-store';
import { IdeasPanel } from './ideas-panel';
import { FakePage } from '../../components/layout/fake-page';

const cards = () => screen.getAllByRole('button', { name: /^Use: / });
const texts = () => cards().map((card) => card.textContent);

async function show(canUse = true): Promise<ReturnType<typeof userEvent.setup>> {
  queryClient.clear();
  // Without ideas of the server, the built-in ones are shown.
  serve({});
  render(
    <FakePage>
      <IdeasPanel canUse={canUse} />
    </FakePage>,
  );
  await waitFor(() => expect(cards()).toHaveLength(4));
  return userEvent.setup();
}

test('a click on a card uses its idea', async () => {
  const user = await show();
  const [card] = cards();
  const idea = card?.textContent.replace(`${TEXTS.chat.use}: `, '');
  if (card) await user.click(card);
  expect(useComposerStore.getState().text).toEqual({ value: idea, isIdea: true });
});

test('the More of a card replaces its idea alone', async () => {
  const user = await show();
  const before = texts();
  const [more] = screen.getAllByRole('button', { name: /^More: replace/ });
  if (more) await user.click(more);
  await waitFor(() => expect(texts()[0]).not.toBe(before[0]));
  expect(texts().slice(1)).toEqual(before.slice(1));
});

test('one More replaces all ideas', async () => {
  const user = await show();
  const before = texts();
  await user.click(screen.getByRole('button', { name: /^More: other ideas/ }));
  await waitFor(() => expect(texts().some((text) => before.includes(text))).toBe(false));
  expect(new Set(texts()).size).toBe(4);
});

test('without a composer the ideas cannot be used', async () => {
  await show(false);
  expect(cards().every((card) => (card as HTMLButtonElement).disabled)).toBe(true);
});

test('Tab reaches one idea, and the arrow keys the other ones and their buttons', async () => {
  const user = await show();
  const stops = () => document.querySelectorAll('li button:not([tabindex="-1"])').length;
  expect(stops()).toBe(1);
  act(() => cards()[0]!.focus());
  await user.keyboard('{ArrowRight}');
  expect(document.activeElement?.getAttribute('aria-label')).toMatch(/^More: replace/);
  await user.keyboard('{ArrowRight}');
  expect(document.activeElement).toBe(cards()[1]);
  expect(stops()).toBe(1);
  expect(cards()[1]!.tabIndex).toBe(0);
  await user.keyboard('{ArrowLeft}{ArrowLeft}{ArrowLeft}');
  expect(document.activeElement).toBe(cards()[0]);
});
