import { TEXTS } from '@tanya/contract';
import { useCallback, useEffect, useRef, useState } from 'react';
import { v4 as uuid } from 'uuid';
import { upload } from '../../../app/api/api-client';
import { useComposerStore } from '../../../app/state/composer-store';
import { notify } from '../../../components/feedback/notify';
import type { AttachmentKind } from '../shared/attachment-rules';
import type { ComposedMessage } from '../shared/message-content';
import type { ConversationKey } from '../client/outbox-store';
import { atHand, useKeptAttachments } from './use-kept-attachments';

/** Something that goes with the next message. */
export interface Attachment {
  id: string;
  kind: AttachmentKind;
  name: string;
  type: string;
  /** Bytes; null where the file was on the server before. */
  size: number | null;
  /** What the chip shows of an image. */
  previewUrl: string | null;
  /** From 0 to 1. */
  progress: number;
  /** Its address once it is stored. */
  url: string | null;
  /** What the reader should know about it. */
  warning: string | null;
}

export interface Attachments {
  list: Attachment[];
  /** True while a file is still on its way. */
  isUploading: boolean;
  add: (files: Iterable<File>) => void;
  remove: (id: string) => void;
  clear: () => void;
}

/** A message carries one file of each kind, so a new one takes the place of the old. */
export function useAttachments(conversation: ConversationKey): Attachments {
  const [list, setList] = useState<Attachment[]>([]);
  const uploads = useRef(new Map<string, AbortController>());

  const patch = useCallback((id: string, change: Partial<Attachment>) => {
    setList((now) => now.map((attachment) => (attachment.id === id ? { ...attachment, ...change } : attachment)));
  }, []);

  const drop = useCallback((isDropped: (attachment: Attachment) => boolean) => {
    setList((now) => {
      for (const { id, previewUrl } of now.filter(isDropped)) {
        uploads.current.get(id)?.abort();
        if (previewUrl) URL.revokeObjectURL(previewUrl);
      }
      return now.filter((attachment) => !isDropped(attachment));
    });
  }, []);

  const put = useCallback(
    (attachment: Attachment) => {
      drop(({ kind }) => kind === attachment.kind);
      setList((now) => [...now, attachment]);
    },
    [drop],
  );

  const addFile = useCallback(
    async (file: File, kind: AttachmentKind, warning: string | null) => {
      const id = uuid();
      const abort = new AbortController();
      uploads.current.set(id, abort);
      put({ ...described(file, kind), id, warning });
      try {
        // Moved or deleted since it was chosen: said before a byte of it is promised to the server.
        await file.slice(0, 1).arrayBuffer();
        const stored = await upload(file, {
          signal: abort.signal,
          onProgress: (progress) => patch(id, { progress }),
        });
        patch(id, {
          url: stored.url,
          progress: 1,
          type: stored.type,
          ...(stored.notice && { warning: stored.notice }),
        });
      } catch (error) {
        if (abort.signal.aborted) return;
        drop((attachment) => attachment.id === id);
        const { uploadError } = await import('../shared/attachment-rules');
        notify({ title: `${file.name} could not be attached`, description: uploadError(error, kind), kind: 'error' });
      } finally {
        uploads.current.delete(id);
      }
    },
    [put, patch, drop],
  );

  const add = (files: Iterable<File>) => {
    const chosen = [...files];
    // Fetched with what shows attachments: most messages have none.
    void import('../shared/attachment-rules').then(({ chooseFiles }) => {
      const { taken, notice } = chooseFiles(chosen, list);
      if (notice) notify(notice);
      for (const { file, kind, warning } of taken) void addFile(file, kind, warning ?? null);
    });
  };

  useHandedFiles(put);
  useKeptAttachments(conversation, list, setList, drop);

  return {
    list,
    isUploading: list.some(({ url }) => url === null),
    add,
    remove: (id) => drop((attachment) => attachment.id === id),
    clear: () => drop(() => true),
  };
}

/** Takes up what another part of the page has for the next message. */
function useHandedFiles(put: (attachment: Attachment) => void) {
  const files = useComposerStore((state) => state.files);
  useEffect(() => {
    if (files.length === 0) return;
    useComposerStore.setState({ files: [] });
    for (const file of files) put(atHand({ ...file, warning: null }));
  }, [files, put]);
}

function described(file: File, kind: AttachmentKind): Omit<Attachment, 'id' | 'warning'> {
  return {
    kind,
    name: file.name || TEXTS.defaults.fileName,
    type: file.type || TEXTS.defaults.fileType,
    size: file.size,
    previewUrl: kind === 'image' ? URL.createObjectURL(file) : null,
    progress: 0,
    url: null,
  };
}

/** The stored files as the message names them. */
export function composedFiles(list: readonly Attachment[]): Omit<ComposedMessage, 'text'> {
  const files: Omit<ComposedMessage, 'text'> = {};
  for (const { kind, url, name, type, size } of list) {
    if (url === null) continue;
    if (kind === 'document') files.document = { url, name, type, size };
    else files[kind] = { url };
  }
  return files;
}
