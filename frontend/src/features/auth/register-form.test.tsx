import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { queryClient } from '../../app/queries/query-client';
import { RegisterForm } from './register-form';
import { FakeTheme } from '../../components/layout/fake-theme';

const show = () =>
  render(
    <FakeTheme>
      <QueryClientProvider client={queryClient}>
        <RegisterForm onDone={() => undefined} onPending={() => undefined} />
      </QueryClientProvider>
    </FakeTheme>,
  );

describe('RegisterForm', () => {
  it('shows an error at each missing field and focuses the first', async () => {
    const user = userEvent.setup();
    show();
    await user.click(screen.getByRole('button', { name: 'Register' }));
    expect(await screen.findByText('Username is required')).toBeDefined();
    expect(screen.getByText('Please enter a valid email address')).toBeDefined();
    expect(screen.getByText('Phone number is required')).toBeDefined();
    expect(screen.getByText('Please accept the terms and conditions')).toBeDefined();
    expect(document.activeElement).toBe(screen.getByLabelText('Username'));
  });

  it('shows a password mismatch at the repeated password', async () => {
    const user = userEvent.setup();
    show();
    await user.type(screen.getByLabelText('Password'), 'secret-123');
    await user.type(screen.getByLabelText('Confirm Password'), 'secret-124');
    await user.click(screen.getByRole('button', { name: 'Register' }));
    const field = screen.getByLabelText('Confirm Password');
    expect(await screen.findByText('Passwords do not match')).toBeDefined();
    expect(field.getAttribute('aria-invalid')).toBe('true');
  });
});
