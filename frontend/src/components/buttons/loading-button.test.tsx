import { ChakraProvider, defaultSystem } from '@chakra-ui/react';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { LoadingButton } from './loading-button';

test('a button keeps the focus while its call runs and does nothing more', async () => {
  const calls: string[] = [];
  function Form() {
    const [isRunning, setRunning] = useState(false);
    const submit = () => {
      calls.push('send');
      setRunning(true);
    };
    return (
      <form onSubmit={submit}>
        <input aria-label="Name" />
        <LoadingButton type="submit" loading={isRunning} loadingText="Sending...">
          Send
        </LoadingButton>
      </form>
    );
  }
  render(
    <ChakraProvider value={defaultSystem}>
      <Form />
    </ChakraProvider>,
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
