import { QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { queryClient } from './query-client';
import { useSingleFlightMutation } from './use-single-flight-mutation';

const wrapper = ({ children }: { children: ReactNode }) => (
  <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
);

/** A change that ends when it is told to, and how often it was begun. */
function slowChange() {
  const endings: { succeed: () => void; fail: () => void }[] = [];
  const { result } = renderHook(
    () =>
      useSingleFlightMutation({
        mutationFn: () =>
          new Promise<void>((resolve, reject) => {
            endings.push({ succeed: resolve, fail: () => reject(new Error('refused')) });
          }),
      }),
    { wrapper },
  );
  return { endings, ask: () => act(async () => result.current.mutate()), state: () => result.current };
}

describe('useSingleFlightMutation', () => {
  it('takes two clicks in one moment for one', async () => {
    const { endings, state } = slowChange();
    await act(async () => {
      state().mutate();
      state().mutate();
    });
    expect(endings).toHaveLength(1);
  });

  it('can be asked for again when it is over, however it ended', async () => {
    const { endings, ask, state } = slowChange();
    await ask();
    await act(async () => endings[0]?.fail());
    await waitFor(() => expect(state().isError).toBe(true));
    await ask();
    await act(async () => endings[1]?.succeed());
    await waitFor(() => expect(state().isSuccess).toBe(true));
    await ask();
    expect(endings).toHaveLength(3);
  });
});
