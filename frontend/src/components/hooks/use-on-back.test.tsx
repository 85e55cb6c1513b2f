import { cleanup, render, waitFor } from '@testing-library/react';
import { matchOnly } from '../../app/browser/fake-media';
import { PHONE } from '../../app/browser/media-queries';
import { useOnBack } from './use-on-back';

const closed: string[] = [];

function Overlay({ name, isLocked }: { name: string; isLocked?: boolean }) {
  useOnBack(() => closed.push(name), isLocked);
  return null;
}

const show = (...names: string[]) => (
  <>
    {names.map((name) => (
      <Overlay key={name} name={name} />
    ))}
  </>
);

/**
 * Lets pending moves in the history end. A move is a chain of a few tasks without a delay, and each turn runs its next
 * task, so that the turns suffice on a slow machine too.
 */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setTimeout(resolve));
}

async function back(): Promise<void> {
  const popped = new Promise((resolve) => window.addEventListener('popstate', resolve, { once: true }));
  window.history.back();
  await popped;
  await settle();
}

const page = () => (window.history.state as { page?: string } | null)?.page;
const overlays = () => (window.history.state as { overlays?: number } | null)?.overlays ?? 0;

beforeEach(() => {
  closed.length = 0;
  matchOnly(PHONE);
  window.history.pushState({ page: 'before' }, '');
  window.history.pushState({ page: 'chat' }, '');
});
afterEach(async () => {
  cleanup();
  await waitFor(() => expect(overlays()).toBe(0));
  await settle();
  matchOnly();
});

describe('useOnBack', () => {
  it('closes the overlay on a phone and stays on the page', async () => {
    const { rerender } = render(show('menu'));
    await back();
    expect([closed, page()]).toEqual([['menu'], 'chat']);
    rerender(show());
    await settle();
    expect([page(), overlays()]).toEqual(['chat', 0]);
    await back();
    expect(page()).toBe('before');
  });

  it('closes the topmost of two overlays', async () => {
    const { rerender } = render(show('menu', 'dialog'));
    await back();
    expect(closed).toEqual(['dialog']);
    rerender(show('menu'));
    await back();
    expect([closed, page()]).toEqual([['dialog', 'menu'], 'chat']);
  });

  it('keeps a locked overlay and its entry on a phone', async () => {
    const { rerender } = render(<Overlay name="dialog" isLocked />);
    await back();
    await back();
    expect([closed, page(), overlays()]).toEqual([[], 'chat', 1]);
    rerender(<Overlay name="dialog" />);
    await back();
    expect([closed, page()]).toEqual([['dialog'], 'chat']);
  });

  it('leaves no entry behind an overlay that is closed by its button', async () => {
    const { rerender } = render(show('menu'));
    rerender(show());
    await waitFor(() => expect(overlays()).toBe(0));
    await back();
    expect([closed, page()]).toEqual([[], 'before']);
  });

  it('keeps one entry when a dialog replaces the menu', async () => {
    const { rerender } = render(show('menu'));
    rerender(show('dialog'));
    await settle();
    expect(overlays()).toBe(1);
    await back();
    expect([closed, page()]).toEqual([['dialog'], 'chat']);
  });

  it('adds the entry of a dialog that opens while the entry of the menu is left', async () => {
    const { rerender } = render(show('menu'));
    rerender(show());
    // The move begins in the next task and ends in a later one.
    await new Promise((resolve) => setTimeout(resolve));
    rerender(show('dialog'));
    await settle();
    await waitFor(() => expect([closed, overlays()]).toEqual([[], 1]));
  });

  it('skips the entry of an overlay that a navigation has left', async () => {
    const { rerender } = render(show('menu'));
    window.history.pushState({ page: 'thread' }, '');
    rerender(show());
    await settle();
    await back();
    await waitFor(() => expect([page(), overlays()]).toEqual(['chat', 0]));
  });

  it('adds no entry on wide screens and closes on back', async () => {
    matchOnly();
    render(show('dialog'));
    expect(overlays()).toBe(0);
    await back();
    expect([closed, page()]).toEqual([['dialog'], 'before']);
  });
});
