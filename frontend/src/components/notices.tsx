import { Suspense, useEffect, useState } from 'react';
import { preloadable } from './preloadable';
import { whenIdle } from './when-idle';

const Toaster = preloadable(async () => ({ default: (await import('./toaster')).Toaster }));

/**
 * Where notices appear. It comes after the first screen, and before the first notice where it can, because screen readers
 * announce what enters a region that they know.
 */
export function Notices() {
  const [isDue, setDue] = useState(false);
  useEffect(() => whenIdle(() => setDue(true), 2_000), []);
  return <Suspense>{isDue && <Toaster />}</Suspense>;
}
