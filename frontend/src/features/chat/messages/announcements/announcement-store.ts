import { type Message, parseContent } from '@tanya/contract';
import { create } from 'zustand';
import { onOwnerChanged, pageOwner } from '../../../../app/session/page-owner';
import { plainText } from '../../../markdown/markdown';

/** Longer announcements are cut: a screen reader cannot skip within one. */
const MAX_CHARACTERS = 2_000;

interface AnnouncementStore {
  threadId: number | null;
  text: string;
}

/** The newest finished answer for screen readers. Answers are announced once when finished, not token by token. */
export const useAnnouncement = create<AnnouncementStore>()(() => ({ threadId: null, text: '' }));

/** Announces an answer as plain text, because screen readers read Markdown syntax aloud. */
export async function announceAnswer({ threadId, content }: Message): Promise<void> {
  const owner = pageOwner();
  const text = await plainText(parseContent(content).text.slice(0, MAX_CHARACTERS));
  if (pageOwner() === owner) useAnnouncement.setState({ threadId, text });
}

// An announcement is private to its owner.
onOwnerChanged(() => useAnnouncement.setState(useAnnouncement.getInitialState()));
