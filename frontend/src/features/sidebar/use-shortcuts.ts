import { useEffect } from 'react';
import { isKey } from '../../app/browser/is-key';
import { onCommand, runCommand, SHORTCUTS } from '../../app/state/commands';
import { openDialog } from '../../app/state/dialogs';
import { openPalette } from './palette/open-palette';
import { toggleSidebar } from './toggle-sidebar';
import { useNewChat } from './use-new-chat';

/** Binds the shortcuts of the page and handles the commands of its frame; the chat handles its own. */
export function useShortcuts(): void {
  const newChat = useNewChat();

  useEffect(() => {
    window.addEventListener('keydown', handleKey);
    return () => window.removeEventListener('keydown', handleKey);
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

function handleKey(event: KeyboardEvent): void {
  const shortcut = SHORTCUTS.find(({ keys }) => isPressed(event, keys));
  if (!shortcut || event.defaultPrevented || isDialogOpen()) return;
  event.preventDefault();
  runCommand(shortcut.command);
}

/** Cmd works in place of Ctrl on every platform. */
function isPressed(event: KeyboardEvent, keys: readonly string[]): boolean {
  const { ctrlKey, metaKey, shiftKey, altKey } = event;
  const isHeld = keys.includes('Ctrl') === (ctrlKey || metaKey) && keys.includes('Shift') === shiftKey;
  return isHeld && !altKey && isKey(event, keys.at(-1)!.replace('Esc', 'Escape'));
}

/** A modal dialog keeps the shortcuts of the page behind it off. */
function isDialogOpen(): boolean {
  return document.querySelector('[aria-modal=true]') !== null;
}
