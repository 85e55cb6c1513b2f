import { type Dispatch, type SetStateAction, useEffect, useLayoutEffect, useState } from 'react';
import { v4 as uuid } from 'uuid';
import { api } from '../../../app/api/api-client';
import { type DraftFile, readDraftFiles, writeDraftFiles } from '../../../app/storage/drafts';
import { belongsTo, type Owner } from '../../../app/storage/owner';
import { usePageOwner } from '../../../app/session/page-owner';
import type { ConversationKey } from '../client/outbox-store';
import type { Attachment } from './use-attachments';

/** A file that needs no upload, as an attachment. */
export function atHand(file: DraftFile): Attachment {
  return { ...file, id: uuid(), previewUrl: file.kind === 'image' ? file.url : null, progress: 1 };
}

/**
 * Keeps what is attached with the draft's text, per person and conversation. When the page shows another person, theirs
 * is there at once.
 */
export function useKeptAttachments(
  conversation: ConversationKey,
  list: readonly Attachment[],
  setList: Dispatch<SetStateAction<Attachment[]>>,
  drop: (isDropped: (attachment: Attachment) => boolean) => void,
): void {
  const owner = usePageOwner();
  /** Who attached them; undefined where nothing was read yet. */
  const [keeper, setKeeper] = useState<Owner | null>();

  // Before the next person sees the page.
  useLayoutEffect(() => {
    if (keeper === owner) return;
    setKeeper(owner);
    if (keeper !== undefined && !belongsTo(owner, keeper)) drop(() => true);
    const kept = readDraftFiles(owner, conversation).map(atHand);
    setList((now) => kept.reduce(withKept, now));
    // The server keeps what was never sent for a day.
    for (const { id, url } of kept) {
      if (url) void api.has(url).then((isThere) => isThere || drop((attachment) => attachment.id === id));
    }
  }, [owner, keeper, conversation, setList, drop]);

  useEffect(() => {
    if (keeper === owner) writeDraftFiles(owner, conversation, list.flatMap(toDraftFile));
  }, [owner, keeper, conversation, list]);
}

/** What was attached since has its place. */
function withKept(now: Attachment[], kept: Attachment): Attachment[] {
  return now.some(({ kind }) => kind === kept.kind) ? now : [...now, kept];
}

function toDraftFile({ kind, url, name, type, size, warning }: Attachment): DraftFile[] {
  return url === null ? [] : [{ kind, url, name, type, size, warning }];
}
