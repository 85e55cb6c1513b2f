import { jest } from '@jest/globals';
import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { lazyDialog } from './lazy-dialog';
import { toaster } from '../feedback/toast-store';

const menuModule = { default: ({ onClose }: { onClose: () => void }) => <button onClick={onClose}>Close</button> };

/** Renders a button that opens a lazy menu. `answer` settles the load of the menu: with the module or with an error. */
function show() {
  const answers: ((answer: Error | typeof menuModule) => void)[] = [];
  const Menu = lazyDialog(
    () =>
      new Promise<typeof menuModule>((resolve, reject) => {
        answers.push((answer) => (answer instanceof Error ? reject(answer) : resolve(answer)));
      }),
  );
  function Page() {
    const [isOpen, setOpen] = useState(false);
    return (
      <>
        <button onClick={() => setOpen(true)}>Open</button>
        <output>{isOpen ? 'open' : 'closed'}</output>
        {isOpen && <Menu onClose={() => setOpen(false)} />}
      </>
    );
  }
  render(<Page />);
  const user = userEvent.setup();
  const button = screen.getByRole('button', { name: 'Open' });
  return {
    answers,
    button,
    press: () => user.click(button),
    answer: (answer: Error | typeof menuModule) => act(async () => answers.at(-1)?.(answer)),
    state: () => screen.getByRole('status').textContent,
    isShown: () => screen.queryByRole('button', { name: 'Close' }) !== null,
  };
}

test('marks the pressed button as busy until the menu has loaded', async () => {
  const { button, press, answer, isShown } = show();
  await press();
  await waitFor(() => expect(button.getAttribute('aria-busy')).toBe('true'));
  await answer(menuModule);
  await waitFor(() => expect(isShown()).toBe(true));
  await waitFor(() => expect(button.hasAttribute('aria-busy')).toBe(false));
});

test('closes with a notice when the load fails, and loads again at the next click', async () => {
  const notices = jest.spyOn(toaster, 'create');
  const { button, press, answer, state, isShown } = show();
  await press();
  await answer(new Error('No connection.'));
  await waitFor(() => expect(state()).toBe('closed'));
  await waitFor(() => expect(button.hasAttribute('aria-busy')).toBe(false));
  await waitFor(() =>
    expect(notices).toHaveBeenCalledWith(expect.objectContaining({ title: 'No connection.', type: 'error' })),
  );
  await press();
  await answer(menuModule);
  await waitFor(() => expect(isShown()).toBe(true));
});
