import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type FormEvent, useState } from 'react';
import { LoadingButton } from './loading-button';
import { FakeTheme } from '../layout/fake-theme';

test('keeps the focus while it loads and ignores further clicks', async () => {
  const calls: string[] = [];
  function Form() {
    const [isLoading, setLoading] = useState(false);
    const submit = (event: FormEvent) => {
      event.preventDefault();
      calls.push('send');
      setLoading(true);
    };
    return (
      <form onSubmit={submit}>
        <input aria-label="Name" />
        <LoadingButton type="submit" loading={isLoading} loadingText="Sending...">
          Send
        </LoadingButton>
      </form>
    );
  }
  render(
    <FakeTheme>
      <Form />
    </FakeTheme>,
  );
  const user = userEvent.setup();
  const button = screen.getByRole('button');
  await user.click(button);
  expect(button.textContent).toBe('Sending...');
  expect(document.activeElement).toBe(button);
  await user.keyboard('{Enter}');
  await user.type(screen.getByLabelText('Name'), 'x{Enter}');
  expect(calls).toEqual(['send']);
});
