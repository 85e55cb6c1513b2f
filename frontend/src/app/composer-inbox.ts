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
  text: { value: string; isIdea: boolean } | null;
  files: readonly HandedFile[];
}

/** What other parts of the page lay before the composer; it takes each thing once. */
export const useComposerInbox = create<ComposerInboxStore>()(() => ({ text: null, files: [] }));

/** An idea: it comes beneath what was typed, in the place of the one before. */
export function handIdea(value: string): void {
  useComposerInbox.setState({ text: { value, isIdea: true } });
}

/** A message that was not sent; what was typed since stays beneath it. */
export function handBack(value: string, files: readonly HandedFile[]): void {
  useComposerInbox.setState({ text: { value, isIdea: false }, files });
}

/** A picture for the next message, such as a generated one. */
export function handImage({ url, name }: { url: string; name: string }): void {
  useComposerInbox.setState({ files: [{ kind: 'image', url, name, type: 'image/png', size: null }] });
}
