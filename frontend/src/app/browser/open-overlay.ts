/** Dialogs and menus that Escape closes, whatever has the focus. */
export const OPEN_OVERLAY = ':is([role=dialog], [role=alertdialog], [role=menu], [role=listbox])[data-state=open]';
