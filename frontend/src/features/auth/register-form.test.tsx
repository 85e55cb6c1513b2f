import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { PublicSettings } from '@tanya/contract';
import { queryClient } from '../../app/queries/query-client';
import { settingsQuery } from '../../app/queries/settings.query';
import { RegisterForm } from './register-form';
import { FakePage } from '../../components/layout/fake-page';

const show = () =>
  render(
    <FakePage>
      <RegisterForm onDone={() => undefined} onPending={() => undefined} />
    </FakePage>,
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

  it('says which addresses may register, also beside an error', async () => {
    const settings = { allowedEmailDomains: ['example.com'], links: {} } as unknown as PublicSettings;
    queryClient.setQueryData(settingsQuery.queryKey, settings);
    const user = userEvent.setup();
    show();
    await user.type(screen.getByLabelText('Email'), 'ayu@');
    await user.click(screen.getByRole('button', { name: 'Register' }));
    expect(await screen.findByText('Please enter a valid email address')).toBeDefined();
    const textOf = (attribute: string) =>
      document.getElementById(screen.getByLabelText('Email').getAttribute(attribute) ?? '')?.textContent;
    await waitFor(() => expect(textOf('aria-errormessage')).toBe('Please enter a valid email address'));
    expect(textOf('aria-describedby')).toContain('example.com');
    queryClient.removeQueries({ queryKey: settingsQuery.queryKey });
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
