import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { FakePage } from '../../../components/layout/fake-page';
import { DeleteAccount } from './delete-account';

test('Cancel drops the password and returns the focus', async () => {
  render(
    <FakePage>
      <DeleteAccount />
    </FakePage>,
  );
  const user = userEvent.setup();
  const password = () => screen.getByLabelText<HTMLInputElement>('Enter your password to confirm');
  await user.click(screen.getByRole('button', { name: 'Delete my account' }));
  await user.type(password(), 'secret-123');
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  const button = screen.getByRole('button', { name: 'Delete my account' });
  await waitFor(() => expect(document.activeElement).toBe(button));
  await user.click(button);
  expect(password().value).toBe('');
});
