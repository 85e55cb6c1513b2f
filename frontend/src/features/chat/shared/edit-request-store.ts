import { create } from 'zustand';

/** The message whose editing is requested; the row of the message consumes the request. */
export const useEditRequest = create<{ messageId: number | null }>()(() => ({ messageId: null }));

export function requestEdit(messageId: number): void {
  useEditRequest.setState({ messageId });
}
