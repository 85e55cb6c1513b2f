import type { KeyboardEvent } from 'react';
import { isComposing } from '../../../app/browser/is-composing';
import { TOUCH_ONLY } from '../../../app/browser/media-queries';

/**
 * Handles Enter in a message field: Enter sends; Enter with Ctrl, Cmd or Shift inserts a line break. On touch devices
 * Enter inserts a line break and the button sends, because their keyboards have no other key for it.
 */
export function handleEnter(
  event: KeyboardEvent<HTMLTextAreaElement>,
  setText: (text: string) => void,
  send: () => void,
): void {
  if (event.key !== 'Enter' || event.shiftKey || isComposing(event.nativeEvent)) return;
  if (!event.ctrlKey && !event.metaKey && window.matchMedia(TOUCH_ONLY).matches) return;
  event.preventDefault();
  if (event.ctrlKey || event.metaKey) insertNewline(event.currentTarget, setText);
  else send();
}

/** Inserts a line break at the caret; in the undo history where the browser supports it. */
function insertNewline(field: HTMLTextAreaElement, setText: (text: string) => void): void {
  if (document.execCommand?.('insertText', false, '\n')) return;
  const { selectionStart, selectionEnd } = field;
  field.setRangeText('\n', selectionStart, selectionEnd, 'end');
  setText(field.value);
}
