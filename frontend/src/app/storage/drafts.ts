import type { UploadedFile } from '../state/composer-store';
import { GUEST, type Owner } from './owner';
import { readStored, readStoredJson, storedKeys, writeStored } from './stored';

/** Keys read `tanya.draft.<owner>.<name>`; the name of a draft is its thread's id or `new`. */
const DRAFT_PREFIX = 'tanya.draft.';
const FILES_SUFFIX = '.files';

export interface DraftFile extends UploadedFile {
  warning: string | null;
}

/** The draft of a conversation. An account also sees, below its own text, the draft that it wrote as a guest. */
export function readDraft(owner: Owner | null, conversation: string): string {
  const stored = (writer: Owner) => readStored(draftKey(writer, conversation)) ?? '';
  if (owner === null) return '';
  return owner === GUEST ? stored(GUEST) : joinTexts(stored(owner), stored(GUEST));
}

export function writeDraft(owner: Owner | null, conversation: string, text: string): void {
  write(owner, conversation, '', text);
}

/** The files of a draft. Files that were attached as a guest come first. */
export function readDraftFiles(owner: Owner | null, conversation: string): DraftFile[] {
  if (owner === null) return [];
  return [...new Set([GUEST, owner])].flatMap(
    (writer) => readStoredJson<DraftFile[]>(draftKey(writer, conversation, FILES_SUFFIX)) ?? [],
  );
}

export function writeDraftFiles(owner: Owner | null, conversation: string, files: DraftFile[]): void {
  write(owner, conversation, FILES_SUFFIX, files.length > 0 ? JSON.stringify(files) : '');
}

/** A value that is stored for one owner until the owner logs out; null without a value. */
export function readOwn<T>(owner: Owner, name: string): T | null {
  return readStoredJson(ownKey(owner, name));
}

export function writeOwn(owner: Owner, name: string, value: object | null): void {
  writeStored(ownKey(owner, name), value && JSON.stringify(value));
}

const unsaved = new Set<() => void>();

/** Calls the listener when a text must be stored at once: before the page closes or reads the drafts. Returns an unsubscribe. */
export function onSaveDrafts(save: () => void): () => void {
  unsaved.add(save);
  return () => unsaved.delete(save);
}

/** Stores the newest typing, which is otherwise stored after a pause. */
export function saveDrafts(): void {
  unsaved.forEach((save) => save());
}

/** Removes everything that is stored for an owner: drafts, their files and other values. */
export function removeDrafts(owner: Owner): void {
  for (const key of storedKeys()) if (key.startsWith(ownKey(owner, ''))) writeStored(key, null);
}

export function joinTexts(...texts: string[]): string {
  return texts.filter((text) => text.trim()).join('\n\n');
}

export function ownKey(owner: Owner, name: string): string {
  return `${DRAFT_PREFIX}${owner}.${name}`;
}

/** All conversations without a thread share the draft `new`. */
export function draftName(conversation: string): string {
  return /^\d+$/.test(conversation) ? conversation : 'new';
}

function draftKey(owner: Owner, conversation: string, suffix = ''): string {
  return ownKey(owner, `${draftName(conversation)}${suffix}`);
}

function write(owner: Owner | null, conversation: string, suffix: string, value: string): void {
  if (owner === null) return;
  // The value includes the guest's draft (readDraft), so the guest's copy is removed with the old value.
  for (const writer of [owner, GUEST]) writeStored(draftKey(writer, conversation, suffix), null);
  if (value) writeStored(draftKey(owner, conversation, suffix), value);
}
