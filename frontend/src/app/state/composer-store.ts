import type { FileKind, StoredFile } from '@tanya/contract';
import { create } from 'zustand';

export interface UploadedFile extends Pick<StoredFile, 'url' | 'name' | 'type' | 'pages' | 'pictures'> {
  kind: FileKind;
  /** Bytes; null when the size is unknown. */
  size: number | null;
}

interface ComposerStore {
  text: { value: string; isIdea: boolean } | null;
  files: readonly UploadedFile[];
}

/** Input for the composer from other parts of the page; the composer consumes each value once. */
export const useComposerStore = create<ComposerStore>()(() => ({ text: null, files: [] }));

/** Inserts an idea below the draft, in place of the previous idea. */
export function insertIdea(idea: string): void {
  useComposerStore.setState({ text: { value: idea, isIdea: true } });
}

/** Restores the text and files of a message that was not sent, above the current draft. */
export function restoreDraft(text: string, files: readonly UploadedFile[]): void {
  useComposerStore.setState({ text: { value: text, isIdea: false }, files });
}

export function attachImage({ url, name }: Pick<UploadedFile, 'url' | 'name'>): void {
  useComposerStore.setState({ files: [{ kind: 'image', url, name, type: 'image/png', size: null }] });
}
