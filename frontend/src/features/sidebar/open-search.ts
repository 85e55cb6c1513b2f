import { flushSync } from 'react-dom';
import { showSidebar, useSidebar } from './sidebar-store';

/** The search field of the thread list, if it is mounted. */
export function chatSearchField(): HTMLElement | null {
  return document.querySelector<HTMLElement>('[data-chat-search]');
}

/** Shows the sidebar and focuses its search, at once or as soon as the field is mounted. */
export function openSearch(): void {
  // Synchronous, so that the next key press reaches the search and not the message field.
  flushSync(() => {
    showSidebar();
    useSidebar.setState({ searchRequested: true });
  });
  const field = chatSearchField();
  if (field) focusSearch(field);
  else if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
}

/** Focuses the field and completes the request. */
export function focusSearch(field: HTMLElement | null): void {
  field?.focus();
  useSidebar.setState({ searchRequested: false });
}
