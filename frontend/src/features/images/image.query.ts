import { queryOptions, skipToken } from '@tanstack/react-query';
import { readOwn, writeOwn } from '../../app/storage/drafts';
import { pageOwner } from '../../app/session/page-owner';
import { queryClient } from '../../app/queries/query-client';
import { QUERY_KEYS } from '../../app/queries/query-keys';
import { LIMITS, type Quota, UNLIMITED } from '@tanya/contract';

/** A running, finished or failed image generation. */
export interface MadeImage {
  /** Idempotency key of the generation. */
  clientMessageId: string;
  prompt: string;
  isRunning: boolean;
  url: string | null;
}

interface StoredImage extends MadeImage {
  keptAt: number;
}

/** Well below the day for which the server keeps the idempotency key; a later request would create and charge another image. */
const MAX_AGE_MS = 12 * 60 * 60 * 1000;

/**
 * The latest image. It has been charged, so it is stored in the browser and survives the dialog and a reload; the server
 * has no endpoint for it.
 */
export const imageQuery = queryOptions({
  queryKey: QUERY_KEYS.image,
  initialData: storedImage,
  queryFn: skipToken,
  gcTime: Infinity,
});

export function setImage(image: MadeImage | null): MadeImage | null | undefined {
  const owner = pageOwner();
  if (owner !== null) writeOwn(owner, 'image', image && { ...image, keptAt: Date.now() });
  return queryClient.setQueryData<MadeImage | null>(imageQuery.queryKey, image);
}

function storedImage(): MadeImage | null {
  const owner = pageOwner();
  const kept = owner === null ? null : readOwn<StoredImage>(owner, 'image');
  return kept !== null && Date.now() - kept.keptAt < MAX_AGE_MS ? kept : null;
}

export function canAffordImage(quota: Quota | undefined): boolean {
  return quota === undefined || quota.max === UNLIMITED || quota.used + LIMITS.imageCost <= quota.max;
}

const two = (value: number) => String(value).padStart(2, '0');

export function imageName(now: Date): string {
  const date = `${now.getFullYear()}${two(now.getMonth() + 1)}${two(now.getDate())}`;
  return `image-${date}-${two(now.getHours())}${two(now.getMinutes())}${two(now.getSeconds())}.png`;
}
