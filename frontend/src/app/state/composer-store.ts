import { create } from 'zustand';

/** A file that is on the server already. */
export interface UploadedFile {
  kind: 'image' | 'audio' | 'document';
  url: string;
  name: string;
  type: string;
  /** Bytes; null where nobody knows them any more. */
  size: number | null;
}

interface ComposerStore {
  text: { value: string; isIdea: boolean } | null;
  files: readonly UploadedFile[];
}

/** What other parts of the page lay before the composer; it takes each thing once. */
export const useComposerStore = create<ComposerStore>()(() => ({ text: null, files: [] }));

/** An idea: it comes beneath what was typed, in the place of the one before. */
export function insertIdea(value: string): void {
  useComposerStore.setState({ text: { value, isIdea: true } });
}

/** A message that was not sent; what was typed since stays beneath it. */
export function restoreDraft(value: string, files: readonly UploadedFile[]): void {
  useComposerStore.setState({ text: { value, isIdea: false }, files });
}

/** A picture for the next message, such as a generated one. */
export function attachImage({ url, name }: { url: string; name: string }): void {
  useComposerStore.setState({ files: [{ kind: 'image', url, name, type: 'image/png', size: null }] });
}
