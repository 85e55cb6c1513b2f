import type { KeyboardEvent } from 'react';

/** What Enter does where a message is written: it sends; with Ctrl, Cmd or Shift it makes a new line. */
export function pressEnter(
  event: KeyboardEvent<HTMLTextAreaElement>,
  setText: (text: string) => void,
  send: () => void,
): void {
  if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
  event.preventDefault();
  if (event.ctrlKey || event.metaKey) insertNewline(event.currentTarget, setText);
  else send();
}

/** At the caret, and with the browser's undo where it lets us. */
function insertNewline(field: HTMLTextAreaElement, setText: (text: string) => void): void {
  if (document.execCommand?.('insertText', false, '\n')) return;
  const { selectionStart, selectionEnd } = field;
  field.setRangeText('\n', selectionStart, selectionEnd, 'end');
  setText(field.value);
}
