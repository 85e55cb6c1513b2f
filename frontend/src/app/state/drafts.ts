import type { UploadedFile } from './composer-store';
import { GUEST, type Owner } from '../session/page-owner';

const PREFIX = 'tanya.draft.';

/** What was typed and not sent, by who typed it and by conversation; all new conversations share one draft. */
function storageKey(owner: Owner, conversation: string, part = ''): string {
  return `${PREFIX}${owner}.${/^\d+$/.test(conversation) ? conversation : 'new'}${part}`;
}

const FILES = '.files';

/** A file of a draft, which is on the server already. */
export interface DraftFile extends UploadedFile {
  warning: string | null;
}

/** A user finds what they typed before they signed in beneath what they had left. */
export function readDraft(owner: Owner | null, conversation: string): string {
  const stored = (writer: Owner) => tryStorage(() => localStorage.getItem(storageKey(writer, conversation))) ?? '';
  if (owner === null) return '';
  return owner === GUEST ? stored(GUEST) : joinTexts(stored(owner), stored(GUEST));
}

export function writeDraft(owner: Owner | null, conversation: string, text: string): void {
  write(owner, conversation, '', text);
}

/** Something else that is kept for one person in this browser until they log out; null where there is none. */
export function readOwn<T>(owner: Owner, name: string): T | null {
  return tryStorage(() => JSON.parse(localStorage.getItem(`${PREFIX}${owner}.${name}`) ?? 'null') as T) ?? null;
}

export function writeOwn(owner: Owner, name: string, value: object | null): void {
  tryStorage(() => {
    const key = `${PREFIX}${owner}.${name}`;
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(value));
  });
}

/** The same for what goes with the text; what was attached last before they signed in comes first. */
export function readDraftFiles(owner: Owner | null, conversation: string): DraftFile[] {
  if (owner === null) return [];
  return [...new Set([GUEST, owner])].flatMap((writer) => {
    const stored = () =>
      JSON.parse(localStorage.getItem(storageKey(writer, conversation, FILES)) ?? '[]') as DraftFile[];
    return tryStorage(stored) ?? [];
  });
}

export function writeDraftFiles(owner: Owner | null, conversation: string, files: DraftFile[]): void {
  write(owner, conversation, FILES, files.length > 0 ? JSON.stringify(files) : '');
}

function write(owner: Owner | null, conversation: string, part: string, value: string): void {
  if (owner === null) return;
  tryStorage(() => {
    // What the guest had left is part of it.
    for (const writer of [owner, GUEST]) localStorage.removeItem(storageKey(writer, conversation, part));
    if (value) localStorage.setItem(storageKey(owner, conversation, part), value);
  });
}

export function removeDrafts(owner: Owner): void {
  removeWhere((rest) => rest.startsWith(`${owner}.`));
}

/** Those of the first version, which did not say who typed them: nobody may be shown them. */
export function removeOwnerlessDrafts(): void {
  removeWhere((rest) => !rest.includes('.'));
}

function removeWhere(isMeant: (keyAfterPrefix: string) => boolean): void {
  tryStorage(() => {
    for (const key of Object.keys(localStorage)) {
      if (key.startsWith(PREFIX) && isMeant(key.slice(PREFIX.length))) localStorage.removeItem(key);
    }
  });
}

export function joinTexts(...texts: string[]): string {
  return texts.filter((text) => text.trim()).join('\n\n');
}

/** Storage may be full or blocked; the text is still in the field. */
function tryStorage<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
