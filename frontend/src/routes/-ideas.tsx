import { type ComponentProps, Suspense, useEffect } from 'react';
import { lazyWithPreload } from '../components/lazy/lazy-with-preload';
import { useWhenIdle } from '../components/lazy/use-when-idle';
import type { IdeasPanel } from '../features/ideas/ideas-panel';

const RENDER_TIMEOUT_MS = 1_000;

const Panel = lazyWithPreload(async () => ({ default: (await import('../features/ideas/ideas-panel')).IdeasPanel }));

/** False until the page has been idle once. */
let wasIdle = false;

/** The conversation ideas. The first page renders them while it is idle, so that they do not delay the composer. */
export function Ideas(props: ComponentProps<typeof IdeasPanel>) {
  const isIdle = useWhenIdle(Panel.preload, RENDER_TIMEOUT_MS);
  useEffect(() => {
    wasIdle ||= isIdle;
  }, [isIdle]);
  return <Suspense>{(isIdle || wasIdle) && <Panel {...props} />}</Suspense>;
}
