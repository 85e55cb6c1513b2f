import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { ConfirmDialog } from '../dialogs/confirm-dialog';
import { useFocusRecovery } from './use-focus-recovery';
import { FakeTheme } from '../layout/fake-theme';

/** A list whose rows are deleted by a button, directly or after a confirmation. */
function List({ confirmed }: { confirmed: boolean }) {
  const [rows, setRows] = useState(['a', 'b', 'c']);
  const [asked, setAsked] = useState<string | null>(null);
  const ref = useFocusRecovery();
  const remove = (row: string | null) => {
    setAsked(null);
    setRows(rows.filter((each) => each !== row));
  };
  return (
    <div ref={ref}>
      <button type="button">Add</button>
      <ul>
        {rows.map((row) => (
          <li key={row}>
            <button type="button" onClick={() => (confirmed ? setAsked(row) : remove(row))}>
              Delete {row}
            </button>
          </li>
        ))}
      </ul>
      {asked && (
        <ConfirmDialog
          title="Delete"
          question="Sure?"
          action="Yes"
          pending={false}
          onConfirm={() => remove(asked)}
          onClose={() => setAsked(null)}
        />
      )}
    </div>
  );
}

const show = (confirmed = false) => {
  render(
    <FakeTheme>
      <button type="button">Elsewhere</button>
      <List confirmed={confirmed} />
    </FakeTheme>,
  );
  return userEvent.setup();
};
/** Waits for the task in which the focus would move. */
const settled = () => act(() => new Promise((resolve) => setTimeout(resolve, 50)));
const hasFocus = (name: string) => waitFor(() => expect(document.activeElement?.textContent).toBe(name));

test('the focus moves to the row that takes the place of a deleted one, then to the last row, then to the part', async () => {
  const user = show();
  await user.click(screen.getByText('Delete b'));
  await hasFocus('Delete c');
  await user.keyboard('{Enter}');
  await hasFocus('Delete a');
  await user.keyboard('{Enter}');
  await hasFocus('Add');
});

test('the focus moves to the next row after a deletion by a dialog', async () => {
  const user = show(true);
  await user.click(screen.getByText('Delete a'));
  await user.click(await screen.findByText('Yes'));
  await hasFocus('Delete b');
});

test('the focus moves to the first control of what replaces a field', async () => {
  function Composer() {
    const [isUsedUp, setUsedUp] = useState(false);
    const ref = useFocusRecovery();
    const field = <input aria-label="Message" onKeyDown={() => setUsedUp(true)} />;
    return <div ref={ref}>{isUsedUp ? <button type="button">Register</button> : field}</div>;
  }
  render(<Composer />);
  await userEvent.setup().type(screen.getByLabelText('Message'), 'x');
  await hasFocus('Register');
});

test('the focus waits for the first control of what loads in the place of a field', async () => {
  const steps: ((step: number) => void)[] = [];
  function Composer() {
    const [step, setStep] = useState(0);
    steps[0] = setStep;
    const ref = useFocusRecovery();
    return (
      <div ref={ref}>
        {step === 0 && <input aria-label="Message" />}
        {step === 2 && <button type="button">Register</button>}
      </div>
    );
  }
  render(<Composer />);
  act(() => screen.getByLabelText('Message').focus());
  act(() => steps[0]!(1));
  await waitFor(() => expect(document.activeElement).not.toBe(document.body));
  expect((document.activeElement as HTMLElement).style.outline).toBe('none');
  act(() => steps[0]!(2));
  await hasFocus('Register');
});

test('the focus stays where the user has moved it', async () => {
  show();
  act(() => screen.getByText('Delete a').focus());
  act(() => screen.getByText('Add').focus());
  screen.getByText('Delete a').closest('li')?.remove();
  await settled();
  expect(document.activeElement?.textContent).toBe('Add');
});

test('the part does not take the focus once the user has left it', async () => {
  const user = show();
  act(() => screen.getByText('Delete a').focus());
  act(() => screen.getByText('Elsewhere').focus());
  screen.getByText('Delete a').closest('li')?.remove();
  await user.click(document.body);
  screen.getByText('Delete b').closest('li')?.remove();
  await settled();
  expect(document.activeElement).toBe(document.body);
});
