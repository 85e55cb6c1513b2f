import { render, waitFor } from '@testing-library/react';
import { focusNextPage, useAwaitedFocus } from './focus-main';

function Page() {
  useAwaitedFocus();
  return <main />;
}

const settled = () => new Promise((resolve) => setTimeout(resolve));

test('an awaited page takes the focus, also after the one that stands for it, and no further page does', async () => {
  focusNextPage();
  history.replaceState(null, '', '/projects/1');
  for (const key of ['loading', 'loaded']) {
    const { container, unmount } = render(<Page key={key} />);
    await waitFor(() => expect(document.activeElement).toBe(container.querySelector('main')));
    unmount();
  }
  history.replaceState(null, '', '/projects');
  render(<Page />);
  await settled();
  expect(document.activeElement).toBe(document.body);
});
