import { useEffect, useLayoutEffect, useState } from 'react';
import { api } from '../../../app/api/api-client';
import { readDraftFiles, writeDraftFiles } from '../../../app/storage/drafts';
import { usePageOwner } from '../../../app/session/page-owner';
import { belongsTo } from '../../../app/storage/owner';
import type { ConversationKey } from '../client/outbox-store';
import { type Attachment, toDraftFile } from './attachment';
import { type AttachmentStore, draftAttachments } from './attachment-store';

/**
 * Stores the attachments of a draft in the browser, per owner and conversation. When the owner of the page changes, the
 * list is replaced by the new owner's before the next paint.
 */
export function useDraftAttachments(
  conversation: ConversationKey,
  list: readonly Attachment[],
  { change, remove }: AttachmentStore,
): void {
  const owner = usePageOwner();
  const [listOwner, setListOwner] = useState(owner);

  // A layout effect, so that the new owner never sees the attachments of the previous one.
  useLayoutEffect(() => {
    if (listOwner === owner) return;
    setListOwner(owner);
    if (!belongsTo(owner, listOwner)) remove(() => true);
    change((current) => draftAttachments(owner, conversation).reduce(withStored, current));
  }, [owner, listOwner, conversation, change, remove]);

  // The server deletes files that were not sent within a day.
  useEffect(() => {
    for (const { url } of readDraftFiles(owner, conversation)) {
      if (url) void api.has(url).then((exists) => exists || remove((attachment) => attachment.url === url));
    }
  }, [owner, conversation, remove]);

  useEffect(() => {
    if (listOwner === owner) writeDraftFiles(owner, conversation, list.flatMap(toDraftFile));
  }, [owner, listOwner, conversation, list]);
}

/** Adds a stored attachment, unless the list has its file. */
function withStored(current: readonly Attachment[], stored: Attachment): readonly Attachment[] {
  return current.some(({ url }) => url === stored.url) ? current : [...current, stored];
}
