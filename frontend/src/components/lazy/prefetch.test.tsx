import { act, render, screen, waitFor } from '@testing-library/react';
import { fetchAhead, startFetchingAhead } from './prefetch';
import { lazyDialog } from './lazy-dialog';

const settle = () => act(() => new Promise((resolve) => setTimeout(resolve, 10)));

test('what may be opened is fetched once the page is at rest, one after the other, and opens at once', async () => {
  const asked: string[] = [];
  let fail: (error: Error) => void = () => undefined;
  fetchAhead(() => {
    asked.push('page');
    return new Promise((_, reject) => (fail = reject));
  });
  const Menu = lazyDialog(() => {
    asked.push('menu');
    return Promise.resolve({ default: () => <p>the menu</p> });
  });
  await settle();
  expect(asked).toEqual([]);

  startFetchingAhead();
  await settle();
  expect(asked).toEqual(['page']);
  fail(new Error('No connection.'));
  await waitFor(() => expect(asked).toEqual(['page', 'menu']));
  await settle();
  render(<Menu onClose={() => undefined} />);
  expect(screen.queryByText('the menu')).not.toBeNull();
});
