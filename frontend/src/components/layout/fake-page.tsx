import { QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { queryClient } from '../../app/queries/query-client';
import { FakeRouter } from './fake-router';
import { FakeTheme } from './fake-theme';

export function FakePage({ path, children }: { path?: string; children: ReactNode }) {
  return (
    <FakeTheme>
      <QueryClientProvider client={queryClient}>
        <FakeRouter path={path}>{children}</FakeRouter>
      </QueryClientProvider>
    </FakeTheme>
  );
}
