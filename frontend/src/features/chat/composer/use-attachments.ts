import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { t } from '../../../app/i18n/translate';
import { pageOwner, usePageOwner } from '../../../app/session/page-owner';
import { useComposerStore } from '../../../app/state/composer-store';
import { notify } from '../../../components/feedback/notify';
import { loadLate } from '../../../components/lazy/load-late';
import { belongsTo } from '../../../app/storage/owner';
import type { ConversationKey } from '../client/outbox-store';
import { type Attachment, type AttachmentList, storedAttachment } from './attachment';
import { openAttachments, showAttachments } from './attachment-store';
import type { Uploads } from './uploads';
import { useDraftAttachments } from './use-draft-attachments';

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

export function useAttachments(conversation: ConversationKey): Attachments {
  const owner = usePageOwner();
  const [store] = useState(() => openAttachments(owner, conversation));
  const { list, waiting } = useStore(store.state);
  useEffect(() => showAttachments(store, owner, conversation), [store, owner, conversation]);

  const upload = (start: (uploads: Uploads) => void) => {
    const wait = (change: number) => store.state.setState(({ waiting }) => ({ waiting: waiting + change }));
    // Loaded on demand, because most messages have no attachment.
    store.uploads ??= loadLate(() => import('./uploads')).then(({ Uploads }) => new Uploads(store));
    wait(1);
    void store.uploads
      .then(
        // Files are not uploaded as another owner's.
        (uploads) => !store.isClosed && belongsTo(pageOwner(), owner) && start(uploads),
        () => {
          store.uploads = undefined;
          notify({ title: t('network.unreachable'), kind: 'error' });
        },
      )
      .finally(() => wait(-1));
  };

  useFilesFromStore(store);
  useDraftAttachments(conversation, list, store);
  const { remove } = store;

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
