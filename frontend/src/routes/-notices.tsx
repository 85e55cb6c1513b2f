import { Suspense, useEffect, useState } from 'react';
import { lazyWithPreload } from '../components/lazy/lazy-with-preload';
import { whenIdle } from '../app/browser/when-idle';

const Toaster = lazyWithPreload(async () => ({ default: (await import('../components/feedback/toaster')).Toaster }));

/**
 * Where notices appear. It comes after the first screen, and before the first notice where it can, because screen readers
 * announce what enters a region that they know.
 */
export function Notices() {
  const [isDue, setDue] = useState(false);
  useEffect(() => whenIdle(() => setDue(true), 2_000), []);
  return <Suspense>{isDue && <Toaster />}</Suspense>;
}
