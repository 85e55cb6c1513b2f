import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { commandOf, onCommand, runCommand } from '../../app/commands';
import { beginConversation } from '../../app/conversation';
import { openDialog, useDialogs } from '../../app/dialogs';
import { toggleSidebar } from './sidebar-store';

/** Listens to the keyboard and does what belongs to the frame; the chat listens to its own commands. */
export function useShortcuts(): void {
  const navigate = useNavigate();

  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const command = commandOf(event);
      // An open dialog keeps the keyboard to itself.
      if (!command || event.defaultPrevented || useDialogs.getState().open) return;
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
