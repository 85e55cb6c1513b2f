import { create } from 'zustand';

/** The import whose report the account dialog is to show; null for none. */
export const useWantedReport = create<{ id: string | null }>()(() => ({ id: null }));
