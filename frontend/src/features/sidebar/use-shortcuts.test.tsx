import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { type Command, COMMANDS, onCommand } from '../../app/state/commands';
import { useShortcuts } from './use-shortcuts';

const received: Command[] = [];
for (const command of COMMANDS) onCommand(command, () => received.push(command));

function Page() {
  useShortcuts();
  return <input aria-label="Message" />;
}

/** Presses a key in the message field; returns the commands that ran and whether the browser's own action was prevented. */
async function press(
  key: string,
  held: Pick<KeyboardEventInit, 'code' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'> = {},
) {
  received.length = 0;
  let isPrevented = false;
  await act(async () => {
    isPrevented = !fireEvent.keyDown(screen.getByLabelText('Message'), { key, code: key, ...held });
    // The router navigates after the event.
    await new Promise((resolve) => setTimeout(resolve));
  });
  return { commands: [...received], isPrevented };
}

beforeEach(async () => {
  const router = createRouter({
    routeTree: createRootRoute({ component: Page }),
    history: createMemoryHistory({ initialEntries: ['/'] }),
  });
  render(<RouterProvider router={router as never} />);
  await screen.findByLabelText('Message');
});

describe('useShortcuts', () => {
  it.each([
    ['O', { ctrlKey: true, shiftKey: true }, 'new-chat'],
    ['Escape', { shiftKey: true }, 'focus-composer'],
    ['k', { ctrlKey: true }, 'search'],
    ['K', { ctrlKey: true }, 'search'],
    ['F', { ctrlKey: true, shiftKey: true }, 'find'],
    ['.', { ctrlKey: true }, 'stop'],
    ['S', { ctrlKey: true, shiftKey: true }, 'toggle-sidebar'],
    ['/', { ctrlKey: true }, 'shortcuts'],
    ['o', { metaKey: true, shiftKey: true }, 'new-chat'],
    ['k', { metaKey: true }, 'search'],
    // The keys of a Cyrillic and of a Greek layout.
    ['л', { ctrlKey: true, code: 'KeyK' }, 'search'],
    ['Ο', { ctrlKey: true, shiftKey: true, code: 'KeyO' }, 'new-chat'],
  ] as const)('runs the command of %s with %p', async (key, held, command) => {
    expect(await press(key, held)).toEqual({ commands: [command], isPrevented: true });
  });

  it.each([
    ['k', {}],
    ['k', { ctrlKey: true, shiftKey: true }],
    ['k', { ctrlKey: true, altKey: true }],
    // The place of K on a Dvorak layout.
    ['t', { ctrlKey: true, code: 'KeyK' }],
    ['Escape', {}],
  ])('leaves %s with %p to the browser', async (key, held) => {
    expect(await press(key, held)).toEqual({ commands: [], isPrevented: false });
  });

  it('ignores shortcuts while a modal dialog is open', async () => {
    const dialog = document.body.appendChild(document.createElement('div'));
    dialog.setAttribute('aria-modal', 'true');
    expect((await press('k', { ctrlKey: true })).commands).toEqual([]);
    dialog.remove();
    expect((await press('k', { ctrlKey: true })).commands).toEqual(['search']);
  });
});
