import { create } from 'zustand';
import { onOwnerChanged } from '../../../../app/session/page-owner';
import type { ConversationKey } from '../../client/outbox-store';

interface AnnouncementStore {
  conversation: ConversationKey | null;
  text: string;
}

/** The newest event of a conversation for screen readers. */
export const useAnnouncement = create<AnnouncementStore>()(() => ({ conversation: null, text: '' }));

export function announce(conversation: ConversationKey, text: string): void {
  useAnnouncement.setState({ conversation, text });
}

// An announcement is private to its owner.
onOwnerChanged(() => useAnnouncement.setState(useAnnouncement.getInitialState()));
