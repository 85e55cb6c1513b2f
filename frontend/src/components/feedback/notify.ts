export interface Notice {
  title: string;
  description?: string;
  kind?: 'success' | 'error' | 'info';
}

/** Shows a notice; the one shown before makes room, because the library alone would queue the new one. */
export function notify({ title, description, kind = 'success' }: Notice): void {
  // Loaded when first needed: nothing on the first screen is a notice.
  void import('./toast-store').then(({ toaster }) => {
    toaster.remove();
    toaster.create({ title, description, type: kind, closable: true });
  });
}
