import { create } from 'zustand';

/** A file that is on the server already. */
export interface HandedFile {
  kind: 'image' | 'audio' | 'document';
  url: string;
  name: string;
  type: string;
  /** Bytes; null where nobody knows them any more. */
  size: number | null;
}

interface ComposerInboxStore {
  text: { value: string; replacesTyped: boolean } | null;
  files: readonly HandedFile[];
}

/** What other parts of the page lay before the composer; it takes each thing once. */
export const useComposerInbox = create<ComposerInboxStore>()(() => ({ text: null, files: [] }));

/** A text to begin with, such as an idea. */
export function handText(value: string): void {
  useComposerInbox.setState({ text: { value, replacesTyped: true } });
}

/** A message that was not sent; what was typed since stays beneath it. */
export function handBack(value: string, files: readonly HandedFile[]): void {
  useComposerInbox.setState({ text: { value, replacesTyped: false }, files });
}

/** A picture for the next message, such as a generated one. */
export function handImage({ url, name }: { url: string; name: string }): void {
  useComposerInbox.setState({ files: [{ kind: 'image', url, name, type: 'image/png', size: null }] });
}
