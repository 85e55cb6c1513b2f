import type { IdentityProvider } from '@tanya/contract';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { serve } from '../../../app/api/fake-server';
import { queryClient } from '../../../app/queries/query-client';
import { ProviderList } from './provider-list';
import { FakePage } from '../../../components/layout/fake-page';

const PATH = '/api/admin/identity-providers';

const provider = (fields: Partial<IdentityProvider> = {}): IdentityProvider => ({
  id: 3,
  label: 'Company',
  issuer: 'https://id.example.org',
  clientId: 'tanya',
  hasClientSecret: true,
  isSecretUnreadable: false,
  scopes: 'openid profile email',
  groupClaim: null,
  adminGroup: null,
  premiumGroup: null,
  provision: 'approval',
  trustsSecondFactor: false,
  secondFactorValues: null,
  isFromEnvironment: false,
  callbackUrl: 'https://tanya.example/api/auth/oidc/3/callback',
  backchannelLogoutUrl: 'https://tanya.example/api/auth/oidc/3/backchannel-logout',
  createdAt: '2026-01-01T00:00:00.000Z',
  ...fields,
});

function show(providers: IdentityProvider[], answers: Record<string, unknown> = {}) {
  queryClient.clear();
  serve({ [PATH]: providers, ...answers });
  const sent: unknown[] = [];
  const server = globalThis.fetch;
  globalThis.fetch = (address, init) => {
    if (typeof init?.body === 'string') sent.push(JSON.parse(init.body));
    return server(address, init);
  };
  render(
    <FakePage>
      <ProviderList />
    </FakePage>,
  );
  return { sent, user: userEvent.setup({ delay: null }) };
}

describe('ProviderList', () => {
  it('shows the provider of the environment without buttons', async () => {
    show([provider({ isFromEnvironment: true })]);
    expect(await screen.findByText('Set by the environment of the server')).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Edit Company' })).toBeNull();
  });

  it('tests an issuer, and sends the edited fields alone', async () => {
    const failure = { ok: false, fault: 'issuer_mismatch', message: 'Another issuer.' };
    const { sent, user } = show([provider()], { [`${PATH}/test`]: failure, [`${PATH}/3`]: provider() });
    await user.click(await screen.findByRole('button', { name: 'Edit Company' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByLabelText<HTMLInputElement>('Redirect address').value).toContain('/api/auth/oidc/3/callback');
    await user.click(dialog.getByRole('button', { name: 'Test' }));
    expect(await dialog.findByText(/calls itself by another issuer/)).toBeDefined();
    const issuer = dialog.getByLabelText('Issuer');
    await user.type(issuer, 'x');
    // The result is that of another issuer.
    expect(dialog.queryByText(/calls itself by another issuer/)).toBeNull();
    await user.type(issuer, '{Backspace}');
    await user.type(dialog.getByLabelText('Name on the button'), ' login');
    await user.click(dialog.getByRole('button', { name: 'Save Changes' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(sent).toEqual([{ issuer: 'https://id.example.org' }, { label: 'Company login' }]);
  });

  it('asks for the values that mean two factors where they count', async () => {
    const { sent, user } = show([provider()], { [`${PATH}/3`]: provider() });
    await user.click(await screen.findByRole('button', { name: 'Edit Company' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.queryByLabelText('Values of acr or amr that mean two factors')).toBeNull();
    await user.click(dialog.getByLabelText(/need no code after this provider/));
    await user.type(dialog.getByLabelText('Values of acr or amr that mean two factors'), ' mfa otp ');
    await user.click(dialog.getByRole('button', { name: 'Save Changes' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(sent).toEqual([{ trustsSecondFactor: true, secondFactorValues: 'mfa otp' }]);
  });

  it('marks the field that the server refuses', async () => {
    const details = [{ field: 'clientSecret', message: 'Enter it again.', code: 'client_secret' }];
    const refused = { statusCode: 400, code: 'invalid', message: 'Enter it again.', details };
    const { user } = show([provider()], { [`${PATH}/3`]: refused });
    await user.click(await screen.findByRole('button', { name: 'Edit Company' }));
    await user.click(await screen.findByRole('button', { name: 'Save Changes' }));
    const secret = await screen.findByLabelText('Client secret');
    await waitFor(() => expect(secret.getAttribute('aria-invalid')).toBe('true'));
  });
});
