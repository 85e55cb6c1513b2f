import { create } from 'zustand';

export type DialogName =
  | 'login'
  | 'register'
  | 'forgot-password'
  | 'upgrade'
  | 'image'
  | 'account'
  | 'shortcuts'
  | 'language'
  | 'palette'
  | 'archived';

interface DialogsStore {
  /** At most one of the app-wide dialogs is open. */
  open: DialogName | null;
}

export const useDialogs = create<DialogsStore>()(() => ({ open: null }));

export function openDialog(name: DialogName): void {
  useDialogs.setState({ open: name });
}

export function closeDialog(): void {
  useDialogs.setState({ open: null });
}
