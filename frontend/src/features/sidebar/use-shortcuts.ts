import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { commandOf, onCommand, runCommand } from '../../app/state/commands';
import { beginConversation } from '../../app/state/conversation';
import { openDialog } from '../../app/state/dialogs';
import { toggleSidebar } from './sidebar-store';

/** An open dialog keeps the keyboard to itself. */
function isDialogOpen(): boolean {
  return document.querySelector('[aria-modal=true]') !== null;
}

/** Listens to the keyboard and does what belongs to the frame; the chat listens to its own commands. */
export function useShortcuts(): void {
  const navigate = useNavigate();

  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const command = commandOf(event);
      if (!command || event.defaultPrevented || isDialogOpen()) return;
      event.preventDefault();
      runCommand(command);
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);

  useEffect(() => {
    const stops = [
      onCommand('new-chat', () => {
        beginConversation();
        void navigate({ to: '/' });
      }),
      onCommand('toggle-sidebar', toggleSidebar),
      onCommand('shortcuts', () => openDialog('shortcuts')),
    ];
    return () => stops.forEach((stop) => stop());
  }, [navigate]);
}
