import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { Retention } from '@tanya/contract';
import { holdRequests, serve } from '../../app/api/fake-server';
import { queryClient } from '../../app/queries/query-client';
import { FakePage } from '../../components/layout/fake-page';
import RetentionPage from './retention-page';

const PATH = '/api/admin/retention';

const RULES = { guest: 1, free: 30, premium: null, exemptPinned: true };

const STORED: Retention = { ...RULES, effectiveAt: null, inForce: RULES };

async function show() {
  queryClient.clear();
  const served: Record<string, unknown> = { [PATH]: STORED };
  serve(served);
  const server = globalThis.fetch;
  const sent: unknown[] = [];
  globalThis.fetch = (address, init) => {
    if (init?.method === 'PUT') sent.push(JSON.parse(init.body as string));
    return server(address, init);
  };
  render(
    <FakePage path="/admin/retention">
      <RetentionPage />
    </FakePage>,
  );
  const field = (label: string) => screen.findByLabelText<HTMLInputElement>(label);
  return {
    served,
    sent,
    user: userEvent.setup({ delay: null }),
    free: await field('Free accounts, days'),
    premium: await field('Premium accounts, days'),
  };
}

const button = (name: string) => screen.getByRole('button', { name });

it('sends the edited rules alone, and shows what others have stored', async () => {
  const { served, sent, user, free, premium } = await show();
  const form = premium.form!;
  expect(form.dataset.saved).toBe('true');
  await user.type(premium, '90');
  expect(form.dataset.saved).toBe('false');
  // Another admin has taken the rule for free accounts away meanwhile.
  served[PATH] = { threads: 0, messages: 0, files: 0, bytes: 0, oldest: null };
  await user.click(button('Show what would be deleted'));
  await screen.findByText('No chat would be deleted today.');
  served[PATH] = { ...STORED, free: null, premium: 90 };
  await user.click(button('Save rules'));
  await waitFor(() => expect(free.value).toBe(''));
  expect(sent).toEqual([{ premium: 90, dryRun: true }, { premium: 90 }]);
  expect(premium.value).toBe('90');
  expect(form.dataset.saved).toBe('true');
});

it('keeps what is typed when others change the rules', async () => {
  const { served, user, free, premium } = await show();
  await user.type(premium, '90');
  const effectiveAt = '2026-12-07T00:00:00.000Z';
  served[PATH] = { ...STORED, free: 60, exemptPinned: false, effectiveAt, inForce: RULES } satisfies Retention;
  await act(() => queryClient.invalidateQueries({ queryKey: ['admin', 'retention'] }));
  await waitFor(() => expect(free.value).toBe('60'));
  expect(screen.getByRole('note').textContent).toContain('Pinned chats stay');
  expect(premium.value).toBe('90');
  expect(premium.form!.dataset.saved).toBe('false');
});

it('shows no count of other rules than those on the page', async () => {
  const { served, user, premium } = await show();
  served[PATH] = { threads: 0, messages: 0, files: 0, bytes: 0, oldest: null };
  const held = holdRequests();
  await user.click(button('Show what would be deleted'));
  await user.type(premium, '9');
  await act(async () => held.release());
  await waitFor(() => expect(button('Show what would be deleted').ariaBusy).toBeNull());
  expect(screen.queryByText('No chat would be deleted today.')).toBeNull();
  await user.clear(premium);
  await screen.findByText('No chat would be deleted today.');
});
