import { ChakraProvider } from '@chakra-ui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { queryClient } from '../../app/queries/query-client';
import { createTheme } from '../../app/theme/theme';
import { FakeRouter } from './fake-router';

/** The theme, the queries and a router around a part of the page, for tests. */
export function FakePage({ path, children }: { path?: string; children: ReactNode }) {
  return (
    <ChakraProvider value={createTheme()}>
      <QueryClientProvider client={queryClient}>
        <FakeRouter path={path}>{children}</FakeRouter>
      </QueryClientProvider>
    </ChakraProvider>
  );
}
