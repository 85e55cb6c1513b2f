import { jest } from '@jest/globals';
import { act, render, screen, waitFor } from '@testing-library/react';
import { serve } from '../../app/api/fake-server';
import { reloadOnce } from '../../app/browser/reload-once';
import { prefetch, startPrefetching } from './prefetch';
import { lazyDialog } from './lazy-dialog';
import { loadLateParts } from './load-late';

const settle = () => act(() => new Promise((resolve) => setTimeout(resolve, 10)));

test('prefetches dialogs one at a time once the page is idle, and opens them at once', async () => {
  const loads: string[] = [];
  let fail: (error: Error) => void = () => undefined;
  prefetch(() => {
    loads.push('page');
    return new Promise((_, reject) => (fail = reject));
  });
  const Menu = lazyDialog(() => {
    loads.push('menu');
    return Promise.resolve({ default: () => <p>the menu</p> });
  });
  await settle();
  expect(loads).toEqual([]);

  startPrefetching(0);
  await waitFor(() => expect(loads).toEqual(['page']));
  fail(new Error('No connection.'));
  await waitFor(() => expect(loads).toEqual(['page', 'menu']));
  // The prefetch of a dialog ends with these parts, which it has begun to load earlier.
  await loadLateParts();
  await settle();
  render(<Menu onClose={() => undefined} />);
  expect(screen.queryByText('the menu')).not.toBeNull();
});

test('a failed prefetch does not reload the page, and the next one waits for the network', async () => {
  const requests = serve({});
  const onLine = jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  const failing = jest.fn(() => {
    // As the built file does.
    const failure = Object.assign(new Event('vite:preloadError'), { payload: new Error() });
    void reloadOnce(failure);
    return Promise.reject(failure.payload);
  });
  prefetch(failing);
  await settle();
  expect(failing).not.toHaveBeenCalled();

  onLine.mockReturnValue(true);
  window.dispatchEvent(new Event('online'));
  await waitFor(() => expect(failing).toHaveBeenCalled());
  await settle();
  // A reload begins with a request.
  expect(requests).toEqual([]);
});
