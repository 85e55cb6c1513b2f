import { useQuery } from '@tanstack/react-query';
import { create } from 'zustand';
import { currentUserQuery } from '../../app/queries/user.query';
import { readStoredJson, writeStored } from '../../app/storage/stored';

export type SectionName = 'admin' | 'moreAdmin' | 'developer' | 'apps';

interface SectionsStore {
  /** What was folded or unfolded by hand; this browser remembers it. */
  chosen: Partial<Record<SectionName, boolean>>;
  /** Whether the list of chats leaves room for open sections. */
  hasRoom: boolean;
}

const KEY = 'tanya.sections';

/** A list with fewer chats leaves room for open sections. */
const FEW_CHATS = 5;

export const useSections = create<SectionsStore>()(() => ({
  chosen: readStoredJson<SectionsStore['chosen']>(KEY) ?? {},
  hasRoom: false,
}));

/**
 * Whether a section is open. One that nobody has folded is open while it takes no room from the chats, which a guest does not
 * have, and beside its own pages. Further pages of a section are open only beside them.
 * @param isHere whether one of them is shown
 */
export function useIsSectionOpen(name: SectionName, isHere: boolean): boolean {
  const { data: user } = useQuery(currentUserQuery);
  return useSections(
    ({ chosen, hasRoom }) => chosen[name] ?? (isHere || (name !== 'moreAdmin' && (hasRoom || user === null))),
  );
}

export function toggleSection(name: SectionName, isOpen: boolean): void {
  const chosen = { ...useSections.getState().chosen, [name]: isOpen };
  useSections.setState({ chosen });
  writeStored(KEY, JSON.stringify(chosen));
}

/** @param chats the length of the list when it is first shown: a new chat folds no section */
export function setRoomBeside(chats: number): void {
  useSections.setState({ hasRoom: chats < FEW_CHATS });
}
