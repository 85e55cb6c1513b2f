import { type RefCallback, useCallback } from 'react';
import { CAN_HOVER } from '../../app/browser/media-queries';

const FOCUSABLE = 'button:not(:disabled), a[href], input:not(:disabled), textarea:not(:disabled)';
/** Fields are left out on touch devices, where focus opens the keyboard. */
const FOCUSABLE_BY_TOUCH = 'button:not(:disabled), a[href]';

/**
 * Keeps the focus in a part of the page when its focused element is removed, such as a deleted row: the focus moves to
 * the row that takes its place, else to the first control of the part. Without this it would fall to the page. A row
 * that is deleted by a dialog counts as focused, because the dialog returns the focus to it.
 */
export function useFocusRecovery(): RefCallback<HTMLElement> {
  return useCallback((part: HTMLElement | null) => {
    if (!part) return;
    let last: { element: Element; row: number } | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const remember = ({ target }: FocusEvent) => {
      const element = target as Element;
      const row = element.closest(ROW);
      if (element === part) return;
      if (part.contains(element)) last = { element, row: row ? rowsOf(part).indexOf(row) : -1 };
      // The user has left the part. Menus and dialogs are other children of the body; the focus returns from them.
      else if (layerOf(part)?.contains(element)) last = null;
    };
    const recover = () => {
      if (!last || last.element.isConnected) return;
      const { activeElement } = document;
      // The part has the focus while it waits for its first control, such as one whose code loads.
      const isLost = activeElement === null || activeElement === document.body || activeElement === part;
      if (isLost) focusNear(part, last.row);
    };
    // A closing dialog restores its focus in a later task.
    const recoverLater = () => {
      clearTimeout(timer);
      timer = setTimeout(recover);
    };
    const observer = new MutationObserver(recoverLater);
    document.addEventListener('focusin', remember);
    observer.observe(part, { childList: true, subtree: true });
    // Dialogs are children of the body.
    observer.observe(document.body, { childList: true });
    return () => {
      clearTimeout(timer);
      observer.disconnect();
      document.removeEventListener('focusin', remember);
    };
  }, []);
}

const ROW = 'tbody tr, li';

/** The child of the body that contains the element: the page, or an overlay. */
const layerOf = (element: Element): Element | null => element.closest('body > *');

function rowsOf(part: Element): Element[] {
  return [...part.querySelectorAll(ROW)];
}

/** Focuses a control in the row at an index, in the last row, or in the part. */
function focusNear(part: HTMLElement, index: number): void {
  const rows = rowsOf(part);
  const row = index < 0 ? undefined : (rows[index] ?? rows.at(-1));
  const wanted = window.matchMedia(CAN_HOVER).matches ? FOCUSABLE : FOCUSABLE_BY_TOUCH;
  const target = row?.querySelector<HTMLElement>(wanted) ?? part.querySelector<HTMLElement>(wanted);
  if (!target) {
    part.tabIndex = -1;
    part.style.outline = 'none';
  }
  (target ?? part).focus();
}
