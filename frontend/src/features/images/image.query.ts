import { queryOptions, skipToken } from '@tanstack/react-query';
import { readOwn, writeOwn } from '../../app/storage/drafts';
import { pageOwner } from '../../app/session/page-owner';
import { queryClient } from '../../app/queries/query-client';

/** A picture that is being made, was made, or could not be made. */
export interface MadeImage {
  /** By this the server knows it when it is asked for again. */
  clientMessageId: string;
  prompt: string;
  isRunning: boolean;
  url: string | null;
}

interface KeptImage extends MadeImage {
  keptAt: number;
}

/** The server knows the picture and its id for a day; asked for by then it would be another one, and paid for again. */
const KEPT_FOR_MS = 12 * 60 * 60 * 1000;

/**
 * The latest picture. Nothing reads it from the server: it was paid for, so it outlives the dialog that asked for it, and
 * the page.
 */
export const imageQuery = queryOptions({
  queryKey: ['image'],
  initialData: keptImage,
  queryFn: skipToken,
  gcTime: Infinity,
});

export function setImage(image: MadeImage | null): MadeImage | null | undefined {
  const owner = pageOwner();
  if (owner !== null) writeOwn(owner, 'image', image && { ...image, keptAt: Date.now() });
  return queryClient.setQueryData<MadeImage | null>(imageQuery.queryKey, image);
}

function keptImage(): MadeImage | null {
  const owner = pageOwner();
  const kept = owner === null ? null : readOwn<KeptImage>(owner, 'image');
  return kept !== null && Date.now() - kept.keptAt < KEPT_FOR_MS ? kept : null;
}
