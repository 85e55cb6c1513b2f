import type { PublicSettings, User } from '@tanya/contract';
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { serve } from '../../../app/api/fake-server';
import { queryClient } from '../../../app/queries/query-client';
import { settingsQuery } from '../../../app/queries/settings.query';
import { sari } from '../../../app/session/fake-user';
import { TotpSection } from './totp-section';
import { FakePage } from '../../../components/layout/fake-page';

const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const ENROLLMENT = { secret: SECRET, uri: `otpauth://totp/Tanya:sari?secret=${SECRET}` };
const recoveryCodes = [...'abcdefghij'].map((letter) => `aaaa-bbbb-cccc-ddd${letter}`);

function show(user: User, answers: Record<string, unknown> = {}, isRequired = false) {
  queryClient.setQueryData(settingsQuery.queryKey, {
    totpRequired: { admin: false, member: isRequired },
  } as PublicSettings);
  serve({
    '/api/user/totp/enroll': ENROLLMENT,
    '/api/user/totp/confirm': { recoveryCodes },
    '/api/user/totp/disable': undefined,
    '/api/session': { user },
    ...answers,
  });
  const answer = globalThis.fetch;
  const sent: unknown[] = [];
  globalThis.fetch = (address, init) => {
    if (init?.body) sent.push([address, JSON.parse(init.body as string)]);
    return answer(address, init);
  };
  render(
    <FakePage>
      <TotpSection user={user} />
    </FakePage>,
  );
  return { sent, user: userEvent.setup({ delay: null }) };
}

const button = (name: string) => screen.getByRole('button', { name });

describe('TotpSection', () => {
  it('sets up: password, QR code with key, code, recovery codes', async () => {
    const { sent, user } = show(sari);
    await user.click(button('Set up two-factor login'));
    await user.type(screen.getByLabelText('Your password'), 'secret-123');
    await user.click(button('Continue'));
    expect(await screen.findByRole('img', { name: 'QR code of the set-up' })).toBeDefined();
    expect(screen.getByText('GEZD GNBV GY3T QOJQ GEZD GNBV GY3T QOJQ')).toBeDefined();
    await user.type(screen.getByLabelText('Authentication code'), '123456');
    await user.click(button('Turn on'));
    const list = within(await screen.findByRole('list', { name: 'Recovery codes' }));
    expect(list.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(recoveryCodes);
    expect(document.activeElement?.textContent).toMatch(/^Two-factor login is on/);
    const download = screen.getByRole<HTMLAnchorElement>('link', { name: 'Download' });
    expect(download.download).toBe('recovery-codes-sari.txt');
    expect(decodeURIComponent(download.href)).toContain(recoveryCodes[0]);
    await user.click(button('I have saved them'));
    expect(button('Set up two-factor login')).toBeDefined();
    expect(sent).toEqual([
      ['/api/user/totp/enroll', { password: 'secret-123' }],
      ['/api/user/totp/confirm', { code: '123456' }],
    ]);
  });

  it('shows a wrong password at its field', async () => {
    const wrong = { statusCode: 401, code: 'invalid_credentials', message: 'The password is wrong.' };
    const { user } = show(sari, { '/api/user/totp/enroll': wrong });
    await user.click(button('Set up two-factor login'));
    await user.type(screen.getByLabelText('Your password'), 'x{Enter}');
    expect(await screen.findByText('The password is wrong.')).toBeDefined();
  });

  it('shows a wrong code at its field', async () => {
    const wrong = { statusCode: 401, code: 'totp_invalid', message: 'This code is wrong.' };
    const { user } = show(sari, { '/api/user/totp/confirm': wrong });
    await user.click(button('Set up two-factor login'));
    await user.type(screen.getByLabelText('Your password'), 'secret-123{Enter}');
    await user.type(await screen.findByLabelText('Authentication code'), '000000{Enter}');
    expect(await screen.findByText('This code is wrong.')).toBeDefined();
  });

  it('turns off with password and code', async () => {
    const { sent, user } = show({ ...sari, hasTotp: true });
    await user.click(button('Turn off'));
    await user.type(screen.getByLabelText('Your password'), 'secret-123');
    await user.type(screen.getByLabelText('Authentication code'), '123456');
    await user.click(button('Turn off'));
    expect(await screen.findByRole('button', { name: 'Set up again' })).toBeDefined();
    expect(sent).toEqual([['/api/user/totp/disable', { password: 'secret-123', code: '123456' }]]);
  });

  it('cannot be turned off where the role requires it', () => {
    show({ ...sari, hasTotp: true }, {}, true);
    expect(screen.queryByRole('button', { name: 'Turn off' })).toBeNull();
    expect(button('Set up again')).toBeDefined();
  });
});
