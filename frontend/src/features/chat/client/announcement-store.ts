import { type Message, parseContent } from '@tanya/contract';
import { create } from 'zustand';
import { onOwnerChanged, pageOwner } from '../../../app/session/page-owner';
import { plainText } from '../../markdown/markdown';

/** A screen reader that is read more than this at once can only be silenced. */
const MAX_CHARACTERS = 2_000;

interface AnnouncementStore {
  threadId: number | null;
  text: string;
}

/** The newest finished answer, for those who listen instead of looking: once, and never token by token. */
export const useAnnouncement = create<AnnouncementStore>()(() => ({ threadId: null, text: '' }));

/** In plain words: the marks of Markdown would be read aloud. */
export async function announceAnswer({ threadId, content }: Message): Promise<void> {
  const owner = pageOwner();
  const text = await plainText(parseContent(content).text.slice(0, MAX_CHARACTERS));
  if (pageOwner() === owner) useAnnouncement.setState({ threadId, text });
}

// The next person has no business with what the one before was told.
onOwnerChanged(() => useAnnouncement.setState(useAnnouncement.getInitialState()));
