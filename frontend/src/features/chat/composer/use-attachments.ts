import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { t } from '../../../app/i18n/translate';
import { useComposerStore } from '../../../app/state/composer-store';
import { pageOwner } from '../../../app/session/page-owner';
import { notify } from '../../../components/feedback/notify';
import { loadLate } from '../../../components/lazy/load-late';
import type { ConversationKey } from '../client/outbox-store';
import { type Attachment, type AttachmentList, storedAttachment } from './attachment';
import type { Uploads } from './uploads';
import { draftAttachments, useDraftAttachments } from './use-draft-attachments';

export interface Attachments {
  list: readonly Attachment[];
  isUploading: boolean;
  /** An upload failed: nothing is sent until the file is uploaded again or removed. */
  hasFailed: boolean;
  add: (files: Iterable<File>) => void;
  /** Attaches a text that is too long for the message field. */
  addText: (text: string) => void;
  /** Uploads a file again. */
  retry: (id: string) => void;
  remove: (id: string) => void;
  clear: () => void;
}

/** The attachments of the next message. */
export function useAttachments(conversation: ConversationKey): Attachments {
  const [list, setList] = useState<readonly Attachment[]>(() => draftAttachments(pageOwner(), conversation));
  const current = useRef(list);
  const attachments = useMemo<AttachmentList>(
    () => ({
      read: () => current.current,
      change: (update) => {
        current.current = update(current.current);
        setList(current.current);
      },
    }),
    [],
  );

  const uploads = useRef<Promise<Uploads>>(undefined);
  /** Files that wait for the code of uploads: the message is not sent without them. */
  const [waiting, setWaiting] = useState(0);
  const upload = (start: (uploads: Uploads) => void) => {
    // Loaded on demand, because most messages have no attachment.
    uploads.current ??= loadLate(() => import('./uploads')).then(({ Uploads }) => new Uploads(attachments));
    setWaiting((count) => count + 1);
    void uploads.current
      .then(start, () => {
        uploads.current = undefined;
        notify({ title: t('network.unreachable'), kind: 'error' });
      })
      .finally(() => setWaiting((count) => count - 1));
  };

  const remove = useCallback(
    (isRemoved: (attachment: Attachment) => boolean) => {
      const removed = attachments.read().filter(isRemoved);
      attachments.change((all) => all.filter((attachment) => !removed.includes(attachment)));
      for (const { previewUrl } of removed) if (previewUrl) URL.revokeObjectURL(previewUrl);
      void uploads.current?.then((started) => removed.forEach(({ id }) => started.cancel(id)));
    },
    [attachments],
  );

  useFilesFromStore(attachments);
  useDraftAttachments(conversation, list, attachments, remove);

  return {
    list,
    isUploading: waiting > 0 || list.some(({ url, error }) => url === null && error === null),
    hasFailed: list.some(({ error }) => error !== null),
    add: (files) => {
      // Read at once: the browser empties the list of a drop after the event.
      const chosen = [...files];
      upload((started) => started.add(chosen));
    },
    addText: (text) => upload((started) => started.addText(text)),
    retry: (id) => upload((started) => started.retry(id)),
    remove: (id) => remove((attachment) => attachment.id === id),
    clear: () => remove(() => true),
  };
}

/** Attaches the files that other parts of the page put into the composer store. */
function useFilesFromStore({ change }: AttachmentList) {
  const files = useComposerStore((state) => state.files);
  useEffect(() => {
    if (files.length === 0) return;
    useComposerStore.setState({ files: [] });
    const added = files.map((file) => storedAttachment({ ...file, warning: null }));
    change((list) => [...list, ...added.filter(({ url }) => !list.some((attached) => attached.url === url))]);
  }, [files, change]);
}
