import { Suspense } from 'react';
import { lazyWithPreload } from '../components/lazy/lazy-with-preload';
import { useWhenIdle } from '../components/lazy/use-when-idle';

const RENDER_TIMEOUT_MS = 2_000;

const Toaster = lazyWithPreload(async () => ({ default: (await import('../components/feedback/toaster')).Toaster }));

/**
 * The region for notices, rendered while the page is idle. Screen readers announce a notice only if its region existed
 * before, so the region should precede the first notice.
 */
export function Notices() {
  const isDue = useWhenIdle(Toaster.preload, RENDER_TIMEOUT_MS);
  return <Suspense>{isDue && <Toaster />}</Suspense>;
}
