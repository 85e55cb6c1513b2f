import { createStore, type StoreApi } from 'zustand/vanilla';
import { onOwnerChanged, onOwnerLeft, pageOwner } from '../../../app/session/page-owner';
import { draftName, readDraftFiles, writeDraftFiles } from '../../../app/storage/drafts';
import { belongsTo, type Owner } from '../../../app/storage/owner';
import type { ConversationKey } from '../client/outbox-store';
import { type Attachment, type AttachmentList, storedAttachment, toDraftFile } from './attachment';
import type { Uploads } from './uploads';

interface AttachmentState {
  list: readonly Attachment[];
  /** Choices of files that wait for the code of uploads: the message is not sent without them. */
  waiting: number;
}

/** The attachments of one draft. They outlive its composer while a file is not stored. */
export class AttachmentStore implements AttachmentList {
  readonly state: StoreApi<AttachmentState>;
  uploads?: Promise<Uploads>;
  /** The draft whose composer shows the attachments; null once it is left. */
  shownAs: string | null = null;
  /** Ends the writes into the draft of a store that was left. */
  stopWrites: () => void = () => undefined;
  /** The owner has gone: no upload begins. */
  isClosed = false;

  constructor(
    readonly owner: Owner | null,
    list: readonly Attachment[],
  ) {
    this.state = createStore(() => ({ list, waiting: 0 }));
  }

  readonly read = () => this.state.getState().list;

  readonly change: AttachmentList['change'] = (update) => this.state.setState(({ list }) => ({ list: update(list) }));

  readonly remove = (isRemoved: (attachment: Attachment) => boolean) => {
    const removed = this.read().filter(isRemoved);
    this.change((all) => all.filter((attachment) => !removed.includes(attachment)));
    for (const { previewUrl } of removed) if (previewUrl) URL.revokeObjectURL(previewUrl);
    void this.uploads?.then((started) => removed.forEach(({ id }) => started.cancel(id)));
  };

  /** Shows the stored files in place of the previews. */
  releasePreviews(): void {
    for (const { previewUrl } of this.read()) if (previewUrl) URL.revokeObjectURL(previewUrl);
    this.change((all) =>
      all.map((attachment) => ({ ...attachment, previewUrl: attachment.previewUrl && attachment.url })),
    );
  }
}

/** The stores of composers that are shown, and of those that were left before all files were stored. */
const stores = new Map<string, AttachmentStore>();

const keyOf = (owner: Owner | null, conversation: ConversationKey) => `${owner} ${draftName(conversation)}`;

/** The attachments of a draft, with its files whose upload goes on. */
export function openAttachments(owner: Owner | null, conversation: ConversationKey): AttachmentStore {
  return stores.get(keyOf(owner, conversation)) ?? new AttachmentStore(owner, draftAttachments(owner, conversation));
}

export function draftAttachments(owner: Owner | null, conversation: ConversationKey): Attachment[] {
  return readDraftFiles(owner, conversation).map(storedAttachment);
}

/** Marks the store as shown by a composer. Returns the function that leaves it: its uploads go on. */
export function showAttachments(
  store: AttachmentStore,
  owner: Owner | null,
  conversation: ConversationKey,
): () => void {
  const key = keyOf(owner, conversation);
  store.stopWrites();
  store.shownAs = key;
  stores.set(key, store);
  return () => {
    store.shownAs = null;
    // After the next composer, which may show the same store.
    queueMicrotask(() => {
      if (store.shownAs === null) leave(store, key, owner, conversation);
      else if (store.shownAs !== key && stores.get(key) === store) stores.delete(key);
    });
  };
}

/** Writes the stored files into the draft until none is missing. */
function leave(store: AttachmentStore, key: string, owner: Owner | null, conversation: ConversationKey): void {
  const drop = () => {
    const { list, waiting } = store.state.getState();
    if (waiting > 0 || list.some(({ url }) => url === null)) return;
    store.stopWrites();
    if (stores.get(key) === store) stores.delete(key);
    // The list stays: a composer that is about to show the store has it already.
    store.releasePreviews();
  };
  store.stopWrites();
  store.stopWrites = store.state.subscribe(({ list }) => {
    writeDraftFiles(owner, conversation, list.flatMap(toDraftFile));
    drop();
  });
  drop();
}

/** Drops the stores that were left and whose owner has gone; the draft keeps the files that are stored. */
function close(hasGone: (owner: Owner | null) => boolean): void {
  for (const [key, store] of stores) {
    if (store.shownAs !== null || !hasGone(store.owner)) continue;
    store.stopWrites();
    store.isClosed = true;
    stores.delete(key);
    store.remove(() => true);
  }
}

onOwnerLeft((left) => close((owner) => owner === left));
onOwnerChanged(() => close((owner) => !belongsTo(pageOwner(), owner)));
