import { createContext, useContext } from 'react';
import { useColorMode } from './color-mode';

/** The mode of a part of the page that does not follow the preference, such as the printed conversation. */
export const FixedColorMode = createContext<'light' | 'dark' | null>(null);

export function useShownColorMode(): 'light' | 'dark' {
  const mode = useColorMode((state) => state.mode);
  return useContext(FixedColorMode) ?? mode;
}
