import { QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { queryClient } from './query-client';
import { useSingleFlightMutation } from './use-single-flight-mutation';

const wrapper = ({ children }: { children: ReactNode }) => (
  <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
);

/** Renders a mutation whose runs the test settles. */
function renderSlowMutation() {
  const runs: { succeed: () => void; fail: () => void }[] = [];
  const { result } = renderHook(
    () =>
      useSingleFlightMutation({
        mutationFn: () =>
          new Promise<void>((resolve, reject) => {
            runs.push({ succeed: resolve, fail: () => reject(new Error('refused')) });
          }),
      }),
    { wrapper },
  );
  return { runs, mutate: () => act(async () => result.current.mutate()), state: () => result.current };
}

describe('useSingleFlightMutation', () => {
  it('runs once for two calls in the same tick', async () => {
    const { runs, state } = renderSlowMutation();
    await act(async () => {
      state().mutate();
      state().mutate();
    });
    expect(runs).toHaveLength(1);
  });

  it('runs again after it succeeded or failed', async () => {
    const { runs, mutate, state } = renderSlowMutation();
    await mutate();
    await act(async () => runs[0]?.fail());
    await waitFor(() => expect(state().isError).toBe(true));
    await mutate();
    await act(async () => runs[1]?.succeed());
    await waitFor(() => expect(state().isSuccess).toBe(true));
    await mutate();
    expect(runs).toHaveLength(3);
  });
});
