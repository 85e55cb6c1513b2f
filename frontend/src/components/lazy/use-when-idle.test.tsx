import { act, render, screen, waitFor } from '@testing-library/react';
import { useWhenIdle } from './use-when-idle';

const settle = () => act(() => new Promise((resolve) => setTimeout(resolve, 20)));

test('loads the code of a part when the page is idle, and shows the part once it has loaded', async () => {
  let finish: () => void = () => undefined;
  let loads = 0;
  const preload = () => {
    loads += 1;
    return new Promise<void>((resolve) => (finish = resolve));
  };
  const Part = () => useWhenIdle(preload) && <p>the part</p>;
  render(<Part />);
  expect(loads).toBe(0);
  await waitFor(() => expect(loads).toBe(1));
  await settle();
  expect(screen.queryByText('the part')).toBeNull();
  finish();
  await waitFor(() => expect(screen.queryByText('the part')).not.toBeNull());
});

test('loads nothing for a page that was left', async () => {
  let loads = 0;
  const preload = () => {
    loads += 1;
    return Promise.resolve();
  };
  const Part = () => useWhenIdle(preload) && <p>the part</p>;
  render(<Part />).unmount();
  await settle();
  expect(loads).toBe(0);
});
