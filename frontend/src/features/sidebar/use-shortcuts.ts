import { useEffect } from 'react';
import { whenIdle } from '../../app/browser/when-idle';
import { type Command, onCommand, runCommand, SHORTCUTS } from '../../app/state/commands';
import { openDialog } from '../../app/state/dialogs';
import { openPalette } from './palette/open-palette';
import { toggleSidebar } from './toggle-sidebar';
import { useNewChat } from './use-new-chat';

const KEY_NAMES: Record<string, string> = { Ctrl: 'Control', Esc: 'Escape' };

/** Binds the shortcuts of the page and handles the commands of its frame; the chat handles its own. */
export function useShortcuts(): void {
  const newChat = useNewChat();

  useEffect(() => {
    let unbind: (() => void) | null = null;
    let isUnmounted = false;
    // Shortcuts are not part of the first paint, so their library is loaded after it.
    const cancel = whenIdle(
      () =>
        void import('tinykeys').then(({ tinykeys }) => {
          if (!isUnmounted) unbind = tinykeys(window, BINDINGS);
        }),
    );
    return () => {
      isUnmounted = true;
      cancel();
      unbind?.();
    };
  }, []);

  useEffect(() => {
    const unsubscribes = [
      onCommand('new-chat', newChat),
      onCommand('toggle-sidebar', toggleSidebar),
      onCommand('search', openPalette),
      onCommand('shortcuts', () => openDialog('shortcuts')),
    ];
    return () => unsubscribes.forEach((unsubscribe) => unsubscribe());
  }, [newChat]);
}

/** Each shortcut with Ctrl is also bound with Cmd, on every platform. */
const BINDINGS = Object.fromEntries(
  SHORTCUTS.flatMap(({ command, keys }) => {
    const binding = keys.map((key) => KEY_NAMES[key] ?? key).join('+');
    return [binding, binding.replace('Control', 'Meta')].map((each) => [each, handlerOf(command)]);
  }),
);

function handlerOf(command: Command) {
  return (event: KeyboardEvent) => {
    if (event.defaultPrevented || isDialogOpen()) return;
    event.preventDefault();
    runCommand(command);
  };
}

/** A modal dialog keeps the shortcuts of the page behind it off. */
function isDialogOpen(): boolean {
  return document.querySelector('[aria-modal=true]') !== null;
}
