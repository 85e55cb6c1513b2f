import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { serve } from '../../app/api/fake-server';
import { admin, budi, cardOf, show } from './fake-users-table';

describe('a change of chosen people', () => {
  const siti = { ...budi, id: 3, username: 'siti', fullName: 'Siti Aminah' };
  const refusal = { id: 3, code: 'last_admin', message: 'This is the last administrator.' };

  it('is not offered while there is nobody else', async () => {
    show([admin]);
    await cardOf('admin');
    expect(screen.queryByText(/^Choose all/)).toBeNull();
    expect(screen.queryByRole('button', { name: 'Change the chosen' })).toBeNull();
  });

  it('is sent once for all, and reports and keeps who was refused', async () => {
    show([admin, budi, siti]);
    const user = userEvent.setup();
    const own = (await cardOf('admin')).getByRole<HTMLInputElement>('checkbox');
    expect(own.disabled).toBe(true);
    await user.click(screen.getByText('Choose all 2'));
    expect(screen.getByText('2 chosen')).toBeDefined();
    const bodies: unknown[] = [];
    serve({
      '/api/admin/users': [admin, budi, siti],
      '/api/admin/groups': [{ id: 7, name: 'Law' }],
      '/api/admin/groups/7/members': { userIds: [2] },
      '/api/admin/users/batch': { updated: [2], failed: [refusal] },
    });
    const answer = globalThis.fetch;
    globalThis.fetch = (address, request) => {
      if (request?.method === 'POST') bodies.push(JSON.parse(request.body as string));
      return answer(address, request);
    };
    await user.click(screen.getByRole('button', { name: 'Change the chosen' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Change 2 people' }));
    expect(dialog.getByText('Budi Santoso, Siti Aminah')).toBeDefined();
    const change = dialog.getByRole('button', { name: 'Change 2 people' });
    expect(change.getAttribute('aria-disabled')).toBe('true');
    await user.selectOptions(dialog.getByLabelText('Account'), 'Suspend');
    await user.selectOptions(dialog.getByLabelText('Plan of the account'), 'Premium plan');
    await user.selectOptions(await dialog.findByLabelText('Add to a group'), 'Law');
    await user.click(change);
    expect((await dialog.findByRole('alert')).textContent).toBe(
      '1 person changed1 was not changed:Siti Aminah: This is the last administrator.',
    );
    expect(bodies).toEqual([
      { ids: [2, 3], changes: { isSuspended: true, isPremium: true } },
      // Who was refused before is left alone.
      { add: [2] },
    ]);
    expect(dialog.getByRole('button', { name: 'Change 1 person' })).toBeDefined();
    await user.click(dialog.getByRole('button', { name: 'Cancel' }));
    expect(await screen.findByText('1 chosen')).toBeDefined();
  });

  it('asks a group for each person alone once it has refused all of them', async () => {
    show([admin, budi, siti]);
    const user = userEvent.setup();
    await user.click(await screen.findByText('Choose all 2'));
    const bodies: object[] = [];
    serve({ '/api/admin/users': [admin, budi, siti], '/api/admin/groups': [{ id: 7, name: 'Law' }] });
    const answer = globalThis.fetch;
    globalThis.fetch = ((address: string, request: RequestInit) => {
      if (request.method !== 'POST') return answer(address, request);
      const body = JSON.parse(request.body as string) as { remove: number[] };
      bodies.push(body);
      const isRefused = body.remove.includes(3);
      const error = { statusCode: 409, code: 'conflict', message: 'A provider put this person in.' };
      return Promise.resolve({
        ok: !isRefused,
        status: isRefused ? 409 : 200,
        statusText: '',
        headers: { get: () => null },
        text: () => Promise.resolve(JSON.stringify(isRefused ? error : { userIds: [] })),
      });
    }) as unknown as typeof fetch;
    await user.click(screen.getByRole('button', { name: 'Change the chosen' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Change 2 people' }));
    await user.selectOptions(await dialog.findByLabelText('Take out of a group'), 'Law');
    await user.click(dialog.getByRole('button', { name: 'Change 2 people' }));
    expect((await dialog.findByRole('alert')).textContent).toContain('Siti Aminah: A provider put this person in.');
    expect(bodies).toEqual([{ remove: [2, 3] }, { remove: [2] }, { remove: [3] }]);
  });
});
