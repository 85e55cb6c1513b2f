import { useMutation, type UseMutationOptions, type UseMutationResult } from '@tanstack/react-query';
import { useRef } from 'react';

/**
 * A mutation that ignores `mutate` while it runs. A button that is disabled while `isPending` is not enough: the second
 * of two quick clicks can come before the component renders again.
 */
export function useSingleFlightMutation<TData, TVariables = void, TContext = unknown>(
  options: UseMutationOptions<TData, Error, TVariables, TContext>,
): UseMutationResult<TData, Error, TVariables, TContext> {
  const isRunning = useRef(false);
  const mutation = useMutation(options);
  const mutate: typeof mutation.mutate = (...args) => {
    if (isRunning.current) return;
    isRunning.current = true;
    mutation
      .mutateAsync(...args)
      // `onError` of the options has handled the failure.
      .catch(() => undefined)
      .finally(() => (isRunning.current = false));
  };
  return { ...mutation, mutate };
}
