import { jest } from '@jest/globals';
import type { ImportStatus, User } from '@tanya/contract';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { serve } from '../../../app/api/fake-server';
import { queryClient } from '../../../app/queries/query-client';
import { currentUserQuery } from '../../../app/queries/user.query';
import { sari } from '../../../app/session/fake-user';
import { toaster } from '../../../components/feedback/toast-store';
import { FakePage } from '../../../components/layout/fake-page';
import { ImportChats } from './import-chats';
import { watchImport } from './import-watch';
import { useWantedReport } from './wanted-report';

const budi: User = { ...sari, id: 2, username: 'budi' };

const importOf = (more: Partial<ImportStatus>): ImportStatus => ({
  id: 'one',
  state: 'running',
  source: 'chatgpt',
  total: 3,
  imported: 2,
  skipped: 0,
  failures: [],
  progress: 0.5,
  error: null,
  errorRemark: null,
  createdAt: '2026-11-20T05:00:00.000Z',
  endedAt: null,
  ...more,
});

const serveImport = (status: ImportStatus) =>
  serve({ '/api/user/import': [status], [`/api/user/import/${status.id}`]: status });

/** Opens the list with a running import and leaves it again. */
async function leaveRunning(id: string) {
  queryClient.clear();
  queryClient.setQueryData(currentUserQuery.queryKey, sari);
  serveImport(importOf({ id }));
  render(
    <FakePage>
      <ImportChats />
    </FakePage>,
  );
  await screen.findByText('Importing… 3 chats so far');
  cleanup();
}

let notices: jest.SpiedFunction<typeof toaster.create>;
beforeEach(() => {
  notices = jest.spyOn(toaster, 'create');
});
afterEach(() => {
  notices.mockRestore();
  jest.useRealTimers();
});

/** Resolves with the notice of the end. */
async function notice() {
  await waitFor(() => expect(notices).toHaveBeenCalledTimes(1));
  return notices.mock.calls[0]![0];
}

test('reports the end of an import after its page was left, and leads to its report', async () => {
  queryClient.clear();
  queryClient.setQueryData(currentUserQuery.queryKey, sari);
  const threads = jest.spyOn(queryClient, 'invalidateQueries');
  serveImport(importOf({ id: 'one', state: 'done', progress: 1 }));
  const openList = jest.fn();
  watchImport('one', openList);
  const { title, description, type, action } = await notice();
  expect([title, description, type]).toEqual(['Import finished', '2 imported, 1 not imported', 'success']);
  expect(threads).toHaveBeenCalledWith({ queryKey: ['threads', 'list'] });

  Element.prototype.scrollIntoView = jest.fn();
  action?.onClick();
  expect(openList).toHaveBeenCalledTimes(1);
  render(
    <FakePage>
      <ImportChats />
    </FakePage>,
  );
  const report = await screen.findByRole('button', { name: 'Show the chats' });
  expect(report.getAttribute('aria-expanded')).toBe('true');
  await waitFor(() => expect(document.activeElement).toBe(report));
});

test('shows the report of a notice in the list that is on the screen already', async () => {
  queryClient.clear();
  queryClient.setQueryData(currentUserQuery.queryKey, sari);
  Element.prototype.scrollIntoView = jest.fn();
  const ended = importOf({ id: 'five', state: 'done', progress: 1 });
  serve({ '/api/user/import': [ended], '/api/user/import/five': ended });
  render(
    <FakePage>
      <ImportChats />
    </FakePage>,
  );
  const report = await screen.findByRole('button', { name: 'Show the chats' });
  expect(report.getAttribute('aria-expanded')).toBe('false');
  act(() => useWantedReport.setState({ id: 'five' }));
  expect(report.getAttribute('aria-expanded')).toBe('true');
  expect(document.activeElement).toBe(report);
  expect(useWantedReport.getState().id).toBeNull();
});

test('reports an import that failed with its cause, and no way to a report that is on the screen', async () => {
  queryClient.clear();
  queryClient.setQueryData(currentUserQuery.queryKey, sari);
  serveImport(importOf({ id: 'two' }));
  render(
    <FakePage>
      <ImportChats />
    </FakePage>,
  );
  await screen.findByText('Importing… 3 chats so far');
  serveImport(importOf({ id: 'two', state: 'failed', error: 'The file is damaged.', imported: 1, total: 1 }));
  const { title, description, type, action } = await notice();
  expect([title, description, type]).toEqual(['Import failed', 'The file is damaged. 1 imported', 'error']);
  expect(action).toBeUndefined();
});

test('reports no import that was undone, nor one of another account', async () => {
  await leaveRunning('three');
  const requested = serve({});
  await waitFor(() => expect(requested).toContain('/api/user/import/three'));

  jest.useFakeTimers();
  const before = serveImport(importOf({ id: 'four' }));
  watchImport('four', () => undefined);
  await jest.advanceTimersByTimeAsync(3_000);
  expect(before.length).toBeGreaterThan(1);
  queryClient.setQueryData(currentUserQuery.queryKey, budi);
  // The watch ends in a later task.
  await jest.advanceTimersByTimeAsync(20);
  const afterwards = serveImport(importOf({ id: 'four', state: 'done' }));
  await jest.advanceTimersByTimeAsync(3_000);
  expect(afterwards).toEqual([]);
  expect(notices).not.toHaveBeenCalled();
});

test('reports no import to another account that logs in while the tab is hidden', async () => {
  const visibility = jest.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  await leaveRunning('six');
  const read = jest.spyOn(queryClient, 'setQueryData');
  serveImport(importOf({ id: 'six', state: 'done' }));
  await waitFor(() => expect(read).toHaveBeenCalled());
  read.mockRestore();

  queryClient.setQueryData(currentUserQuery.queryKey, budi);
  await new Promise((resolve) => setTimeout(resolve, 0));
  visibility.mockRestore();
  document.dispatchEvent(new Event('visibilitychange'));
  await new Promise((resolve) => setTimeout(resolve, 0));
  expect(notices).not.toHaveBeenCalled();
});
