import { useMutation, type UseMutationOptions, type UseMutationResult } from '@tanstack/react-query';
import { useRef } from 'react';

/**
 * A mutation that runs once at a time. The second of two quick clicks comes before the component has heard of the first,
 * so a button that is disabled while `isPending` would let it through.
 */
export function useSingleFlightMutation<TData, TVariables = void, TContext = unknown>(
  options: UseMutationOptions<TData, Error, TVariables, TContext>,
): UseMutationResult<TData, Error, TVariables, TContext> {
  const isRunning = useRef(false);
  const mutation = useMutation(options);
  const mutate: typeof mutation.mutate = (...call) => {
    if (isRunning.current) return;
    isRunning.current = true;
    mutation
      .mutateAsync(...call)
      // Whoever gave the options has been told.
      .catch(() => undefined)
      .finally(() => (isRunning.current = false));
  };
  return { ...mutation, mutate };
}
