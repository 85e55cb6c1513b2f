import { ChakraProvider } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { createTheme } from '../../app/theme/theme';

const theme = createTheme();

export function FakeTheme({ children }: { children: ReactNode }) {
  return <ChakraProvider value={theme}>{children}</ChakraProvider>;
}
