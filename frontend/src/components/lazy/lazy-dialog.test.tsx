import { jest } from '@jest/globals';
import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { lazyDialog } from './lazy-dialog';
import { toaster } from '../feedback/toast-store';

const theMenu = { default: ({ onClose }: { onClose: () => void }) => <button onClick={onClose}>Close</button> };

/** A button that opens what comes when the answer is given: the menu, or the reason why it is not there. */
function show() {
  const answers: ((answer: Error | typeof theMenu) => void)[] = [];
  const Menu = lazyDialog(
    () =>
      new Promise<typeof theMenu>((resolve, reject) => {
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
    answer: (answer: Error | typeof theMenu) => act(async () => answers.at(-1)?.(answer)),
    state: () => screen.getByRole('status').textContent,
    isShown: () => screen.queryByRole('button', { name: 'Close' }) !== null,
  };
}

test('opens when it is there, and until then the button that was pressed is busy', async () => {
  const { button, press, answer, isShown } = show();
  await press();
  await waitFor(() => expect(button.getAttribute('aria-busy')).toBe('true'));
  await answer(theMenu);
  expect(isShown()).toBe(true);
  expect(button.hasAttribute('aria-busy')).toBe(false);
});

test('what could not be loaded is closed again with a notice, and the next click tries anew', async () => {
  const notices = jest.spyOn(toaster, 'create');
  const { button, press, answer, state, isShown } = show();
  await press();
  await answer(new Error('No connection.'));
  expect(state()).toBe('closed');
  expect(button.hasAttribute('aria-busy')).toBe(false);
  await waitFor(() =>
    expect(notices).toHaveBeenCalledWith(expect.objectContaining({ title: 'No connection.', type: 'error' })),
  );
  await press();
  await answer(theMenu);
  expect(isShown()).toBe(true);
});
