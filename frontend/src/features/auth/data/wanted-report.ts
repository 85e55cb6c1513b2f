import { create } from 'zustand';

interface WantedReport {
  /** The import whose report the list of imports is to show; null for none. */
  id: string | null;
  /** Whether the list is on the screen. */
  isListShown: boolean;
}

export const useWantedReport = create<WantedReport>()(() => ({ id: null, isListShown: false }));
