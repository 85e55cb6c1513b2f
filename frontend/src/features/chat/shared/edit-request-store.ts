import { create } from 'zustand';

interface EditRequests {
  /** The message whose editing is requested; the row of the message consumes the request. */
  messageId: number | null;
  /** The text to edit; that of the message by default. */
  text?: string;
  /** The messages that are being edited. Their rows stay mounted, because they hold the text. */
  editing: readonly number[];
}

export const useEditRequest = create<EditRequests>()(() => ({ messageId: null, editing: [] }));

export function requestEdit(messageId: number, text?: string): void {
  useEditRequest.setState({ messageId, text });
}

/** Edited texts that were neither sent nor cancelled, by message: the reader may have opened another chat meanwhile. */
export const unsentEdits = new Map<number, string>();

/** Marks a message as being edited; returns the function that ends it. */
export function markEditing(messageId: number): () => void {
  useEditRequest.setState(({ editing }) => ({ editing: [...editing, messageId] }));
  return () => useEditRequest.setState(({ editing }) => ({ editing: editing.filter((id) => id !== messageId) }));
}
