import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ProductLinks, PublicSettings, RegistrationMode } from '@tanya/contract';
import { serve } from '../../app/api/fake-server';
import { queryClient } from '../../app/queries/query-client';
import { settingsQuery } from '../../app/queries/settings.query';
import { RegisterPanel } from './register-panel';
import { FakePage } from '../../components/layout/fake-page';

const PENDING = { statusCode: 403, code: 'account_pending', message: 'Your account waits.' };

function show(registrationMode: RegistrationMode, links: Partial<ProductLinks> = {}) {
  const settings = { registrationMode, links } as PublicSettings;
  serve({ '/api/general-settings': settings, '/api/register': PENDING });
  queryClient.setQueryData(settingsQuery.queryKey, settings);
  render(
    <FakePage>
      <RegisterPanel onDone={() => undefined} />
    </FakePage>,
  );
}

const registerButton = () => screen.queryByRole('button', { name: 'Register' });

describe('RegisterPanel', () => {
  it('shows the form alone while registration is open', () => {
    show('open');
    expect(registerButton()).not.toBeNull();
    expect(screen.queryByText(/admin/)).toBeNull();
  });

  it('reports a closed registration and hides the form', () => {
    show('closed');
    expect(screen.getByRole('status').textContent).toMatch(/^Registration is closed/);
    expect(registerButton()).toBeNull();
  });

  it('links the terms and the contact of the settings', () => {
    const target = (name: string) => screen.getByRole<HTMLAnchorElement>('link', { name }).href;
    show('open', { termsUrl: 'https://shop.example/terms' });
    expect(target('terms and conditions')).toBe('https://shop.example/terms');
    cleanup();
    show('closed', { contactUrl: 'mailto:help@shop.example' });
    expect(target('the administrator')).toBe('mailto:help@shop.example');
  });

  it('shows no dead links', () => {
    show('open');
    expect(screen.getByText('I agree to the terms and conditions')).toBeDefined();
    expect(screen.queryByRole('link')).toBeNull();
  });

  it('reports that a new account waits for approval, and focuses the report', async () => {
    show('approval');
    expect(screen.getByText(/An admin approves new accounts/)).toBeDefined();
    const user = userEvent.setup({ delay: null });
    await user.type(screen.getByLabelText('Username'), 'ayu');
    await user.type(screen.getByLabelText('Password'), 'secret-123');
    await user.type(screen.getByLabelText('Confirm Password'), 'secret-123');
    await user.type(screen.getByLabelText('Email'), 'ayu@example.com');
    await user.type(screen.getByLabelText('Phone Number'), '08120000');
    // Without focus: the blur of a checkbox needs PointerEvent, which jsdom lacks.
    fireEvent.click(screen.getByRole('checkbox'));
    await user.click(registerButton()!);
    const report = await screen.findByRole('status');
    expect(report.textContent).toMatch(/^Your account waits for approval by an admin/);
    await waitFor(() => expect(document.activeElement).toBe(report));
    expect(registerButton()).toBeNull();
  });
});
