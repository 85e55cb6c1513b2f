import { startTransition, useEffect, useState } from 'react';
import { idle } from '../../app/browser/when-idle';

/**
 * False until the browser has been idle, for parts that need not delay the first screen. Their code loads at the first idle
 * moment, and they render at the next one: a slow phone stays responsive, and loads that share chunks do not end in one
 * long rendering.
 * @param preload loads the code
 * @param timeoutMs bounds each of the two waits on a busy page
 */
export function useWhenIdle(preload: () => Promise<void>, timeoutMs = 500): boolean {
  const [isIdle, setIdle] = useState(false);
  useEffect(() => {
    let isLeft = false;
    const wait = async () => {
      await idle(timeoutMs);
      if (isLeft) return;
      await preload();
      await idle(timeoutMs);
      if (!isLeft) startTransition(() => setIdle(true));
    };
    void wait();
    return () => {
      isLeft = true;
    };
  }, [preload, timeoutMs]);
  return isIdle;
}
