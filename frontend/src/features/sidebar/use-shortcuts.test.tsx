import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { fireEvent, render, screen } from '@testing-library/react';
import { type Command, COMMANDS, onCommand } from '../../app/state/commands';
import { useShortcuts } from './use-shortcuts';

const received: Command[] = [];
for (const command of COMMANDS) onCommand(command, () => received.push(command));

function Page() {
  useShortcuts();
  return <input aria-label="Message" />;
}

/** Presses a key in the message field; returns the commands that ran and whether the browser's own action was prevented. */
function press(key: string, held: { ctrlKey?: boolean; metaKey?: boolean; shiftKey?: boolean; altKey?: boolean } = {}) {
  received.length = 0;
  const isUntouched = fireEvent.keyDown(screen.getByLabelText('Message'), { key, code: key, ...held });
  return { commands: [...received], isPrevented: !isUntouched };
}

beforeEach(async () => {
  const router = createRouter({
    routeTree: createRootRoute({ component: Page }),
    history: createMemoryHistory({ initialEntries: ['/'] }),
  });
  render(<RouterProvider router={router as never} />);
  await screen.findByLabelText('Message', undefined, { timeout: 30_000 });
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
  ] as const)('runs the command of %s with %p', (key, held, command) => {
    expect(press(key, held)).toEqual({ commands: [command], isPrevented: true });
  });

  it.each([
    ['k', {}],
    ['k', { ctrlKey: true, shiftKey: true }],
    ['k', { ctrlKey: true, altKey: true }],
    ['Escape', {}],
  ])('leaves %s with %p to the browser', (key, held) => {
    expect(press(key, held)).toEqual({ commands: [], isPrevented: false });
  });

  it('ignores shortcuts while a modal dialog is open', () => {
    const dialog = document.body.appendChild(document.createElement('div'));
    dialog.setAttribute('aria-modal', 'true');
    expect(press('k', { ctrlKey: true }).commands).toEqual([]);
    dialog.remove();
    expect(press('k', { ctrlKey: true }).commands).toEqual(['search']);
  });
});
