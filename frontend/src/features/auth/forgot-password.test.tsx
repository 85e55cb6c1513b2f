import type { PublicSettings } from '@tanya/contract';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { serve } from '../../app/api/fake-server';
import { queryClient } from '../../app/queries/query-client';
import { settingsQuery } from '../../app/queries/settings.query';
import { ForgotPassword } from './forgot-password';
import { FakePage } from '../../components/layout/fake-page';

function show(passwordReset: boolean): string[] {
  const links = { contactUrl: 'mailto:help@shop.example' };
  const settings = { passwordReset, links } as PublicSettings;
  const requested = serve({ '/api/general-settings': settings, '/api/password-reset': { ok: true } });
  queryClient.setQueryData(settingsQuery.queryKey, settings);
  render(
    <FakePage>
      <ForgotPassword />
    </FakePage>,
  );
  return requested;
}

describe('ForgotPassword', () => {
  it('requests a link, then reports the same for every address and takes the focus', async () => {
    const requested = show(true);
    const user = userEvent.setup({ delay: null });
    await user.type(screen.getByLabelText('Email'), ' sari@example.com ');
    await user.click(screen.getByRole('button', { name: 'Send link' }));
    const report = await screen.findByRole('status');
    expect(report.textContent).toMatch(/^If an account has this address/);
    await waitFor(() => expect(document.activeElement).toBe(report));
    expect(requested).toEqual(['/api/password-reset']);
  });

  it('refuses an invalid address without a request', async () => {
    const requested = show(true);
    const user = userEvent.setup({ delay: null });
    await user.type(screen.getByLabelText('Email'), 'nowhere{Enter}');
    expect(await screen.findByText('Please enter a valid email address')).toBeDefined();
    expect(requested).toEqual([]);
  });

  it('refers to the admin when the site sends no mail', () => {
    show(false);
    expect(screen.getByRole<HTMLAnchorElement>('link', { name: 'the administrator' }).href).toBe(
      'mailto:help@shop.example',
    );
    expect(screen.queryByRole('button')).toBeNull();
  });
});
