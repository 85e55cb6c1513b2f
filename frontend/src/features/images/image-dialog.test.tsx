import { jest } from '@jest/globals';
import { type GenerateImageRequest, TEXTS, type User } from '@tanya/contract';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { COMPOSER_FIELD } from '../../app/browser/composer-field';
import { matchOnly } from '../../app/browser/fake-media';
import { CAN_HOVER } from '../../app/browser/media-queries';
import { serve } from '../../app/api/fake-server';
import { loadTexts, showLanguage } from '../../app/i18n/load-texts';
import { useDialogs } from '../../app/state/dialogs';
import { sari } from '../../app/session/fake-user';
import { endSession } from '../../app/session/session-lifecycle';
import { startLiveUpdates } from '../../app/sync/live-updates';
import { currentUserQuery } from '../../app/queries/user.query';
import { queryClient } from '../../app/queries/query-client';
import { FakePage } from '../../components/layout/fake-page';
import ImageDialog from './image-dialog';
import { setImage } from './image.query';

startLiveUpdates(() => undefined);

const QUOTA = { used: 0, max: 20 };

/** Holds the generation's answer until `letAnswer` is called. */
function serveSlowly(answers: Record<string, unknown>): { letAnswer: () => void; requests: GenerateImageRequest[] } {
  const requests: GenerateImageRequest[] = [];
  serve({ '/api/user/quota': QUOTA, ...answers });
  const answer = globalThis.fetch;
  let letAnswer: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (letAnswer = resolve));
  globalThis.fetch = (...call) => {
    if (call[0] !== '/api/generate-image') return answer(...call);
    requests.push(JSON.parse(call[1]?.body as string) as GenerateImageRequest);
    return held.then(() => answer(...call));
  };
  return { letAnswer, requests };
}

/** The dialog in front of a page with a message field. */
function Page() {
  const [isOpen, setOpen] = useState(true);
  return (
    <>
      <textarea aria-label="Message" {...COMPOSER_FIELD} />
      {isOpen && <ImageDialog onClose={() => setOpen(false)} />}
    </>
  );
}

async function open(): Promise<void> {
  render(
    <FakePage>
      <Page />
    </FakePage>,
  );
  await screen.findByRole('dialog');
}

async function submitDescription(): Promise<void> {
  const user = userEvent.setup();
  await user.type(screen.getByLabelText('Image description'), 'a lighthouse');
  await user.click(screen.getByRole('button', { name: TEXTS.sidebar.createImage }));
  await screen.findByText('Creating...');
}

/** Simulates a reload by the same user. */
function reload(): void {
  cleanup();
  queryClient.clear();
  queryClient.setQueryData(currentUserQuery.queryKey, { id: 1 } as User);
}

const description = () => screen.getByLabelText<HTMLTextAreaElement>('Image description');

describe('ImageDialog', () => {
  beforeEach(() => {
    localStorage.clear();
    reload();
  });

  it('shows the running generation and then the image when it is opened again', async () => {
    const { letAnswer } = serveSlowly({ '/api/generate-image': { url: '/made.png', cost: 5 } });
    await open();
    await submitDescription();
    cleanup();
    await open();
    expect(screen.getByText('Creating...')).toBeDefined();
    expect([description().value, description().readOnly]).toEqual(['a lighthouse', true]);
    cleanup();
    letAnswer();
    await waitFor(() => expect(queryClient.isMutating()).toBe(0));
    await open();
    expect(screen.getByAltText<HTMLImageElement>('a lighthouse').getAttribute('src')).toBe('/made.png');
  });

  it('asks for no entry that is not stored while it generates, and does before', async () => {
    const user = userEvent.setup();
    const { letAnswer } = serveSlowly({ '/api/generate-image': { url: '/made.png', cost: 5 } });
    await open();
    await user.type(description(), 'a ship');
    await user.keyboard('{Escape}');
    await user.click(await screen.findByRole('button', { name: 'Keep editing' }));
    await user.clear(description());
    await submitDescription();
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(screen.queryByRole('alertdialog')).toBeNull();
    letAnswer();
    await waitFor(() => expect(queryClient.isMutating()).toBe(0));
  });

  it('offers a new image in place of the finished one', async () => {
    serve({ '/api/user/quota': QUOTA });
    setImage({ clientMessageId: 'id', prompt: 'a lighthouse', isRunning: false, url: '/made.png' });
    await open();
    await userEvent.setup().click(screen.getByRole('button', { name: TEXTS.images.createNew }));
    expect(description().value).toBe('');
    cleanup();
    await open();
    expect(description().readOnly).toBe(false);
  });

  it('shows a guest the price of an image and what is left, and offers to register first', async () => {
    queryClient.setQueryData(currentUserQuery.queryKey, null);
    serve({ '/api/user/quota': { used: 0, max: 3, remaining: 3 } });
    await open();
    const quoted = `${TEXTS.images.quotaTitle}: an image costs 7 messages. You have 3 left.`;
    expect(await screen.findByText(quoted)).toBeDefined();
    const buttons = screen.getAllByRole('button').map(({ textContent }) => textContent);
    expect(buttons.filter(Boolean)).toEqual([TEXTS.sidebar.register, TEXTS.chat.upgrade]);
    await userEvent.setup().click(screen.getByRole('button', { name: TEXTS.sidebar.register }));
    expect(useDialogs.getState().open).toBe('register');
  });

  it('does not say in English that the quota is used up while messages are left', async () => {
    await loadTexts('more');
    await showLanguage('en');
    serve({ '/api/user/quota': { used: 0, max: 3, remaining: 3 } });
    await open();
    expect(await screen.findByText('An image costs 7 messages. You have 3 left.')).toBeDefined();
    await showLanguage('spec');
  });

  it('shows the specified notice when the quota is used up', async () => {
    serve({ '/api/user/quota': { used: 20, max: 20, remaining: 0 } });
    await open();
    expect(await screen.findByText(TEXTS.images.quotaTitle)).toBeDefined();
    expect(screen.queryByRole('button', { name: TEXTS.sidebar.register })).toBeNull();
    expect(screen.getByRole('button', { name: TEXTS.chat.upgrade })).toBeDefined();
  });

  it('offers no upgrade to a premium member and to an admin', async () => {
    serve({ '/api/user/quota': { used: 20, max: 20, remaining: 0 } });
    const premium: User = { ...sari, isPremium: true };
    const admin: User = { ...sari, isAdmin: true };
    queryClient.setQueryData(currentUserQuery.queryKey, premium);
    await open();
    expect((await screen.findByRole('alert')).textContent).toContain('Please contact the administrator.');
    expect(screen.queryByRole('button', { name: TEXTS.chat.upgrade })).toBeNull();
    act(() => void queryClient.setQueryData(currentUserQuery.queryKey, admin));
    expect((await screen.findByRole('link')).getAttribute('href')).toBe('/admin/settings');
    expect(screen.queryByRole('button', { name: TEXTS.chat.upgrade })).toBeNull();
  });

  it('moves the focus to the message field when the image is used', async () => {
    matchOnly(CAN_HOVER);
    serve({ '/api/user/quota': QUOTA });
    setImage({ clientMessageId: 'id', prompt: 'a lighthouse', isRunning: false, url: '/made.png' });
    await open();
    await userEvent.setup().click(screen.getByRole('button', { name: TEXTS.images.useImage }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Message')));
    matchOnly();
  });

  it('repeats the request after a reload and shows the image after another reload', async () => {
    const first = serveSlowly({});
    await open();
    await submitDescription();
    reload();
    const second = serveSlowly({ '/api/generate-image': { url: '/made.png', cost: 5 } });
    await open();
    expect([description().value, description().readOnly]).toEqual(['a lighthouse', true]);
    second.letAnswer();
    expect((await screen.findByAltText('a lighthouse')).getAttribute('src')).toBe('/made.png');
    expect(second.requests).toEqual(first.requests);
    reload();
    await open();
    expect(screen.getByAltText('a lighthouse').getAttribute('src')).toBe('/made.png');
    expect(second.requests).toHaveLength(1);
  });

  it('does not repeat a request whose idempotency key may have expired', async () => {
    const first = serveSlowly({});
    await open();
    await submitDescription();
    reload();
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 13 * 60 * 60 * 1000);
    try {
      await open();
      expect(description().value).toBe('');
      expect(first.requests).toHaveLength(1);
    } finally {
      clock.mockRestore();
    }
  });

  it('keeps the description of a failed image and retries with the same idempotency key', async () => {
    const { letAnswer, requests } = serveSlowly({});
    await open();
    await submitDescription();
    cleanup();
    letAnswer();
    await waitFor(() => expect(queryClient.isMutating()).toBe(0));
    await open();
    expect([description().value, description().readOnly]).toEqual(['a lighthouse', false]);
    const user = userEvent.setup();
    await user.click(screen.getByRole('button', { name: TEXTS.sidebar.createImage }));
    await waitFor(() => expect(requests).toHaveLength(2));
    expect(requests[1]).toEqual(requests[0]);
    await waitFor(() => expect(description().readOnly).toBe(false));
    await user.type(description(), ' at night');
    await user.click(screen.getByRole('button', { name: TEXTS.sidebar.createImage }));
    await waitFor(() => expect(requests).toHaveLength(3));
    expect(requests[2]?.clientMessageId).not.toBe(requests[0]?.clientMessageId);
  });

  it('does not show the image after a logout', async () => {
    const { letAnswer } = serveSlowly({ '/api/generate-image': { url: '/made.png', cost: 5 } });
    await open();
    await submitDescription();
    cleanup();
    await endSession();
    letAnswer();
    await waitFor(() => expect(queryClient.isMutating()).toBe(0));
    await open();
    expect(description().value).toBe('');
    reload();
    await open();
    expect(description().value).toBe('');
  });
});
