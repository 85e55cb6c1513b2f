import { create } from 'zustand';

export interface HandedImage {
  url: string;
  name: string;
}

interface ComposerInboxStore {
  /** A text for the message field, such as an idea to begin with. */
  text: string | null;
  /** A picture that is on the server already, such as a generated one. */
  image: HandedImage | null;
}

/** What other parts of the page lay before the composer; it takes each thing once. */
export const useComposerInbox = create<ComposerInboxStore>()(() => ({ text: null, image: null }));

export function handText(text: string): void {
  useComposerInbox.setState({ text });
}

export function handImage(image: HandedImage): void {
  useComposerInbox.setState({ image });
}
