import { useCallback, useEffect, useRef, useState } from 'react';
import { t } from '../../../app/i18n/translate';
import { useComposerStore } from '../../../app/state/composer-store';
import { notify } from '../../../components/feedback/notify';
import { loadLate } from '../../../components/lazy/load-late';
import type { ConversationKey } from '../client/outbox-store';
import { type Attachment, newAttachment, storedAttachment } from './attachment';
import { useDraftAttachments } from './use-draft-attachments';

export interface Attachments {
  list: Attachment[];
  isUploading: boolean;
  add: (files: Iterable<File>) => void;
  remove: (id: string) => void;
  clear: () => void;
}

/** Loaded on demand, because most messages have no attachment. */
const loadRules = () => loadLate(() => import('./attachment-rules'));

/** The attachments of the next message. A message has one file of each kind, so a new file replaces the old one. */
export function useAttachments(conversation: ConversationKey): Attachments {
  const [list, setList] = useState<Attachment[]>([]);
  const uploads = useRef(new Map<string, AbortController>());

  const patch = useCallback((id: string, change: Partial<Attachment>) => {
    setList((current) => current.map((each) => (each.id === id ? { ...each, ...change } : each)));
  }, []);

  const remove = useCallback((isRemoved: (attachment: Attachment) => boolean) => {
    setList((current) => {
      for (const { id, previewUrl } of current.filter(isRemoved)) {
        uploads.current.get(id)?.abort();
        if (previewUrl) URL.revokeObjectURL(previewUrl);
      }
      return current.filter((attachment) => !isRemoved(attachment));
    });
  }, []);

  const put = useCallback(
    (attachment: Attachment) => {
      remove(({ kind }) => kind === attachment.kind);
      setList((current) => [...current, attachment]);
    },
    [remove],
  );

  const uploadFile = useCallback(
    async (file: File, kind: Attachment['kind'], warning: string | null) => {
      const attachment = newAttachment(file, kind, warning);
      const { id } = attachment;
      const abort = new AbortController();
      uploads.current.set(id, abort);
      put(attachment);
      try {
        // Fails for a file that was moved or deleted since it was chosen, before the upload starts.
        await file.slice(0, 1).arrayBuffer();
        const { upload } = await import('../../../app/api/upload');
        const { url, type, notice } = await upload(file, {
          signal: abort.signal,
          onProgress: (progress) => patch(id, { progress }),
        });
        patch(id, { url, progress: 1, type, ...(notice && { warning: notice }) });
      } catch (error) {
        if (abort.signal.aborted) return;
        remove((each) => each.id === id);
        const { uploadError } = await loadRules();
        notify({
          title: t('composer.notAttached', { name: file.name }),
          description: uploadError(error, kind),
          kind: 'error',
        });
      } finally {
        uploads.current.delete(id);
      }
    },
    [put, patch, remove],
  );

  const add = (files: Iterable<File>) => {
    const chosen = [...files];
    void loadRules().then(({ chooseFiles }) => {
      const { accepted, notice } = chooseFiles(chosen, list);
      if (notice) notify(notice);
      for (const { file, kind, warning } of accepted) void uploadFile(file, kind, warning ?? null);
    });
  };

  useFilesFromStore(put);
  useDraftAttachments(conversation, list, setList, remove);

  return {
    list,
    isUploading: list.some(({ url }) => url === null),
    add,
    remove: (id) => remove((attachment) => attachment.id === id),
    clear: () => remove(() => true),
  };
}

/** Attaches the files that other parts of the page put into the composer store. */
function useFilesFromStore(put: (attachment: Attachment) => void) {
  const files = useComposerStore((state) => state.files);
  useEffect(() => {
    if (files.length === 0) return;
    useComposerStore.setState({ files: [] });
    for (const file of files) put(storedAttachment({ ...file, warning: null }));
  }, [files, put]);
}
