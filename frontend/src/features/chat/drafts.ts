import type { ConversationKey } from './outbox-store';

const PREFIX = 'tanya.draft.';

/** What was typed and not sent, by conversation; all new conversations share one draft. */
function storageKey(conversation: ConversationKey): string {
  return PREFIX + (/^\d+$/.test(conversation) ? conversation : 'new');
}

export function readDraft(conversation: ConversationKey): string {
  try {
    return localStorage.getItem(storageKey(conversation)) ?? '';
  } catch {
    return '';
  }
}

export function writeDraft(conversation: ConversationKey, text: string): void {
  try {
    if (text) localStorage.setItem(storageKey(conversation), text);
    else localStorage.removeItem(storageKey(conversation));
  } catch {
    // Storage may be full or blocked; the text is still in the field.
  }
}
