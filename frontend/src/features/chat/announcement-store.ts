import { type Message, parseContent } from '@tanya/contract';
import { create } from 'zustand';
import { onOwnerChanged } from '../../app/page-owner';

/** A screen reader that is read more than this at once can only be silenced. */
const MAX_CHARACTERS = 2_000;

interface AnnouncementStore {
  threadId: number | null;
  text: string;
}

/** The newest finished answer, for those who listen instead of looking: once, and never token by token. */
export const useAnnouncement = create<AnnouncementStore>()(() => ({ threadId: null, text: '' }));

export function announceAnswer(message: Message): void {
  const { text } = parseContent(message.content);
  useAnnouncement.setState({ threadId: message.threadId, text: text.slice(0, MAX_CHARACTERS) });
}

// The next person has no business with what the one before was told.
onOwnerChanged(() => useAnnouncement.setState(useAnnouncement.getInitialState()));
