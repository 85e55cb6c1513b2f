import { ChakraProvider } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { createTheme } from '../../app/theme/theme';

const theme = createTheme();

/** The theme around a part of the page, for tests. */
export function FakeTheme({ children }: { children: ReactNode }) {
  return <ChakraProvider value={theme}>{children}</ChakraProvider>;
}
