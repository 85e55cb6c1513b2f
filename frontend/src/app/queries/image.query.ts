import { queryOptions, skipToken } from '@tanstack/react-query';
import { queryClient } from '../query-client';

/** A picture that is being made, was made, or could not be made. */
export interface MadeImage {
  prompt: string;
  isRunning: boolean;
  url: string | null;
}

/** The latest picture. Nothing reads it from the server: it was paid for, so it outlives the dialog that asked for it. */
export const imageQuery = queryOptions({
  queryKey: ['image'],
  initialData: null as MadeImage | null,
  queryFn: skipToken,
  gcTime: Infinity,
});

export function setImage(image: MadeImage | null): MadeImage | null | undefined {
  return queryClient.setQueryData<MadeImage | null>(imageQuery.queryKey, image);
}
