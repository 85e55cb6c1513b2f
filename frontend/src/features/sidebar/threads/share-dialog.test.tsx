import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { serve } from '../../../app/api/fake-server';
import { queryClient } from '../../../app/queries/query-client';
import { FakePage } from '../../../components/layout/fake-page';
import ShareDialog from './share-dialog';

const url = 'https://chat.example/share/abc';

function show(answers: Record<string, unknown>) {
  queryClient.clear();
  serve(answers);
  const answer = globalThis.fetch;
  const sent: { expiresAt: string | null }[] = [];
  globalThis.fetch = (address, init) => {
    if (init?.body) sent.push(JSON.parse(init.body as string) as { expiresAt: string | null });
    return answer(address, init);
  };
  render(
    <FakePage>
      <ShareDialog threadId={7} onClose={() => undefined} />
    </FakePage>,
  );
  return { sent, user: userEvent.setup({ delay: null }) };
}

const created = { token: 'abc', url, createdAt: '2026-11-22T05:00:00.000Z', expiresAt: null };

describe('the dialog that shares a thread', () => {
  it('creates a link once, shows it selected and copies it', async () => {
    const { sent, user } = show({ '/api/chat/threads/7/share': created });
    await user.dblClick(await screen.findByRole('button', { name: 'Create link' }));
    const field = await screen.findByLabelText<HTMLInputElement>('Link');
    expect(field.value).toBe(url);
    expect(screen.getByRole('button', { name: 'Copy link' })).toBeDefined();
    expect(sent).toEqual([{ expiresAt: null }]);
    await waitFor(async () => expect(await navigator.clipboard.readText()).toBe(url));
  });

  it('sends the chosen expiry', async () => {
    const { sent, user } = show({ '/api/chat/threads/7/share': created });
    await user.selectOptions(await screen.findByLabelText('The link works'), 'for one week');
    await user.click(screen.getByRole('button', { name: 'Create link' }));
    await screen.findByLabelText('Link');
    const days = (Date.parse(sent[0]!.expiresAt!) - Date.now()) / (24 * 60 * 60 * 1000);
    expect(Math.round(days)).toBe(7);
  });

  it('shows why no link was created', async () => {
    const off = { statusCode: 403, code: 'forbidden', message: 'Sharing is switched off.' };
    const { user } = show({ '/api/chat/threads/7/share': off });
    await user.click(await screen.findByRole('button', { name: 'Create link' }));
    expect((await screen.findByRole('alert')).textContent).toContain('Sharing is switched off.');
  });
});
