import { jest } from '@jest/globals';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook, waitFor } from '@testing-library/react';
import { STARTERS } from '@tanya/contract';
import type { ReactNode } from 'react';
import { queryClient } from '../../app/queries/query-client';
import { showLanguage } from '../../app/i18n/load-texts';
import { useIdeas } from './use-ideas';

/** Serves the prompts in rotation, as the server does. */
function serveInTurn(...prompts: string[]): void {
  let position = 0;
  globalThis.fetch = (() =>
    Promise.resolve({
      ok: true,
      status: 200,
      headers: { get: () => null },
      text: () => Promise.resolve(JSON.stringify({ prompt: prompts[position++ % prompts.length] })),
    })) as unknown as typeof fetch;
}

const wrapper = ({ children }: { children: ReactNode }) => (
  <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
);

async function show() {
  queryClient.clear();
  const { result } = renderHook(() => useIdeas(true), { wrapper });
  await waitFor(() => expect(result.current.ideas.length).toBeGreaterThan(0));
  return result;
}

it('shows four different ideas', async () => {
  serveInTurn('a', 'a', 'b', 'c', 'd');
  expect((await show()).current.ideas).toEqual(['a', 'b', 'c', 'd']);
});

it('shows fewer where an installation has fewer, without built-in ones', async () => {
  serveInTurn('a', 'b');
  const result = await show();
  expect(result.current.ideas).toEqual(['a', 'b']);
  act(() => result.current.more(0));
  await waitFor(() => expect(result.current.replacing).toEqual([]));
  expect(result.current.ideas).toEqual(['a', 'b']);
});

it('replaces an idea by one that is not shown', async () => {
  serveInTurn('a', 'b', 'c', 'd', 'a', 'e');
  const result = await show();
  act(() => result.current.more(1));
  await waitFor(() => expect(result.current.ideas).toEqual(['a', 'e', 'c', 'd']));
});

it('replaces two ideas at once by two that differ', async () => {
  serveInTurn('a', 'b', 'c', 'd', 'e', 'e', 'f');
  const result = await show();
  act(() => {
    result.current.more(0);
    result.current.more(1);
  });
  await waitFor(() => expect(result.current.ideas).toEqual(['e', 'f', 'c', 'd']));
});

it('can be asked for other ideas again when none came', async () => {
  serveInTurn('a', 'b', 'c', 'd');
  const result = await show();
  const set = jest.spyOn(queryClient, 'setQueryData').mockImplementationOnce(() => {
    throw new Error('offline');
  });
  act(() => result.current.more(0));
  expect(result.current.replacing).toEqual([0]);
  await waitFor(() => expect(result.current.replacing).toEqual([]));
  expect(result.current.ideas).toEqual(['a', 'b', 'c', 'd']);
  set.mockRestore();
});

it('shows built-in ideas when the server cannot be reached', async () => {
  globalThis.fetch = () => Promise.reject(new TypeError('offline'));
  const { ideas } = (await show()).current;
  expect(new Set(ideas).size).toBe(4);
  for (const idea of ideas) expect(STARTERS).toContain(idea);
});

it('reads others when the language of the page changes', async () => {
  const asked: string[] = [];
  globalThis.fetch = ((address: string) => {
    asked.push(address);
    const prompt = `${new URL(address, 'http://page').searchParams.get('language')} ${asked.length}`;
    return Promise.resolve({
      ok: true,
      status: 200,
      headers: { get: () => null },
      text: () => Promise.resolve(JSON.stringify({ prompt })),
    });
  }) as unknown as typeof fetch;
  const result = await show();
  for (const idea of result.current.ideas) expect(idea).toMatch(/^spec /);
  await act(() => showLanguage('id'));
  await waitFor(() => expect(result.current.ideas).toHaveLength(4));
  for (const idea of result.current.ideas) expect(idea).toMatch(/^id /);
  await act(() => showLanguage('spec'));
});
