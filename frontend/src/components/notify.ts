import { createToaster } from '@chakra-ui/react';

export interface Notice {
  title: string;
  description?: string;
  kind?: 'success' | 'error' | 'info';
}

export const toaster = createToaster({
  placement: 'bottom-end',
  max: 1,
  duration: 5_000,
  removeDelay: 1_000_000,
  hotkey: ['F8'],
  pauseOnPageIdle: false,
});

/** Shows a notice; the one shown before makes room, because the library alone would queue the new one. */
export function notify({ title, description, kind = 'success' }: Notice): void {
  toaster.remove();
  toaster.create({ title, description, type: kind, closable: true });
}
