import { flushSync } from 'react-dom';
import { openDialog } from '../../../app/state/dialogs';

let opener: HTMLElement | null = null;

/** Opens the palette. The focused element loses the focus at once, so that fast typing does not reach it. */
export function openPalette(): void {
  opener = document.activeElement instanceof HTMLElement ? document.activeElement : null;
  opener?.blur();
  flushSync(() => openDialog('palette'));
}

/** The element that had the focus when the palette was opened. */
export function takeOpener(): HTMLElement | null {
  const element = opener;
  opener = null;
  return element === document.body ? null : element;
}
