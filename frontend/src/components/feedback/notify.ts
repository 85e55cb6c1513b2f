export interface Notice {
  title: string;
  description?: string;
  kind?: 'success' | 'error' | 'info';
  action?: { label: string; run: () => void };
}

/** Shows a notice in place of the previous one; the library alone would queue it. */
export function notify({ title, description, kind = 'success', action }: Notice): void {
  // Loaded on first use: the first screen shows no notice.
  void import('./toast-store').then(({ toaster }) => {
    toaster.remove();
    toaster.create({
      title,
      description,
      type: kind,
      closable: true,
      action: action && { label: action.label, onClick: action.run },
    });
  });
}
