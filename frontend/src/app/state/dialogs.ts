import type { Thread } from '@tanya/contract';
import { create } from 'zustand';

export type DialogName =
  | 'login'
  | 'suspended'
  | 'share'
  | 'project'
  | 'delete'
  | 'register'
  | 'forgot-password'
  | 'upgrade'
  | 'image'
  | 'shortcuts'
  | 'language'
  | 'logout'
  | 'palette'
  | 'archived';

interface DialogsStore {
  /** At most one of the app-wide dialogs is open. */
  open: DialogName | null;
  /** The thread of the dialogs `share` and `project`. */
  threadId: number;
  /** The thread of the dialog `delete`. */
  thread: Thread | null;
}

export const useDialogs = create<DialogsStore>()(() => ({ open: null, threadId: 0, thread: null }));

export function openDialog(name: DialogName): void {
  useDialogs.setState({ open: name });
}

export function openShareDialog(threadId: number): void {
  useDialogs.setState({ open: 'share', threadId });
}

export function openProjectDialog(threadId: number): void {
  useDialogs.setState({ open: 'project', threadId });
}

export function openDeleteDialog(thread: Thread): void {
  useDialogs.setState({ open: 'delete', thread });
}

export function closeDialog(): void {
  useDialogs.setState({ open: null });
}
