import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { User } from '@tanya/contract';
import { serve } from '../../../app/api/fake-server';
import { sari } from '../../../app/session/fake-user';
import { ProfileForm } from './profile-form';
import { FakePage } from '../../../components/layout/fake-page';

const withTheme = (user: User) => (
  <FakePage>
    <ProfileForm user={user} />
  </FakePage>
);

/** Records the bodies of the requests, which the server answers with `stored`. */
function show(user: User, stored: User) {
  serve({ '/api/user': stored, '/api/session': { user: stored } });
  const answer = globalThis.fetch;
  const sent: unknown[] = [];
  globalThis.fetch = (address, init) => {
    if (init?.method === 'PATCH') sent.push(JSON.parse(init.body as string));
    return answer(address, init);
  };
  return { sent, ...render(withTheme(user)) };
}

const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
const save = () => screen.getByRole('button', { name: 'Save profile' });

describe('ProfileForm', () => {
  it('sends the changed fields alone, trimmed', async () => {
    const { sent } = show(sari, { ...sari, fullName: 'Sari Dewi' });
    const user = userEvent.setup({ delay: null });
    expect(save().getAttribute('aria-disabled')).toBe('true');
    await user.type(field('Full Name'), ' Sari Dewi ');
    await user.click(save());
    await waitFor(() => expect(field('Full Name').value).toBe('Sari Dewi'));
    expect(sent).toEqual([{ fullName: 'Sari Dewi' }]);
    expect(save().getAttribute('aria-disabled')).toBe('true');
  });

  it('refuses invalid values with the texts of the registration', async () => {
    const { sent } = show({ ...sari, email: 'sari@example.com', phoneNumber: '08120000' }, sari);
    const user = userEvent.setup({ delay: null });
    await user.type(field('Full Name'), 'S');
    await user.clear(field('Email'));
    await user.clear(field('Phone Number'));
    await user.click(save());
    expect(await screen.findByText('Full name must be at least 2 characters')).toBeDefined();
    expect(screen.getByText('Please enter a valid email address')).toBeDefined();
    expect(screen.getByText('Phone number is required')).toBeDefined();
    expect(sent).toEqual([]);
  });

  it('asks for the current password with a new email address alone', async () => {
    const stored = { ...sari, email: 'new@example.com' };
    const { sent } = show({ ...sari, email: 'sari@example.com' }, stored);
    const user = userEvent.setup({ delay: null });
    expect(screen.queryByLabelText('Current password')).toBeNull();
    await user.clear(field('Email'));
    await user.type(field('Email'), 'new@example.com');
    await user.type(field('Current password'), 'secret-123');
    await user.click(save());
    await waitFor(() => expect(sent).toEqual([{ email: 'new@example.com', currentPassword: 'secret-123' }]));
  });

  it('shows a change from another tab and keeps the edited fields', async () => {
    const { rerender } = show(sari, sari);
    const user = userEvent.setup({ delay: null });
    await user.type(field('Full Name'), 'Sari');
    act(() => rerender(withTheme({ ...sari, fullName: 'Dewi', email: 'new@example.com' })));
    await waitFor(() => expect(field('Email').value).toBe('new@example.com'));
    expect(field('Full Name').value).toBe('Sari');
  });
});
