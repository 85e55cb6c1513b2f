import { type ComponentProps, Suspense, useEffect, useState } from 'react';
import { whenIdle } from '../app/browser/when-idle';
import { lazyWithPreload } from '../components/lazy/lazy-with-preload';
import type { IdeasPanel } from '../features/ideas/ideas-panel';

const RENDER_TIMEOUT_MS = 1_000;

const Panel = lazyWithPreload(async () => ({ default: (await import('../features/ideas/ideas-panel')).IdeasPanel }));

/** False until the page has been idle once. */
let wasIdle = false;

/** The conversation ideas. The first page renders them while it is idle, so that they do not delay the composer. */
export function Ideas(props: ComponentProps<typeof IdeasPanel>) {
  const [isDue, setDue] = useState(wasIdle);
  useEffect(
    () =>
      whenIdle(() => {
        wasIdle = true;
        setDue(true);
      }, RENDER_TIMEOUT_MS),
    [],
  );
  return <Suspense>{isDue && <Panel {...props} />}</Suspense>;
}
