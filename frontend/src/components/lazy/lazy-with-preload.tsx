import { type ComponentType, type FunctionComponent, lazy, useState } from 'react';
import { onConnected, useConnection } from '../../app/socket/socket';
import type { Part } from '../../texts/catalogue';
import { loadLate } from './load-late';

type LazyComponent<Props> = FunctionComponent<Props> & {
  /** Loads the chunk before its first use. A failed load is ignored: the first render loads the chunk again. */
  preload: () => Promise<void>;
};

/**
 * A component in a chunk of its own. It suspends until the chunk has loaded; without a connection it waits for one and
 * loads again. A preloaded component renders at once, whereas React's `lazy` would still show the fallback briefly.
 */
export function lazyWithPreload<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  ...parts: Part[]
): LazyComponent<Props> {
  let loaded: ComponentType<Props> | null = null;
  const loadOnce = async () => {
    const file = await loadLate(load, ...parts);
    loaded = file.default;
    return file;
  };
  const Suspending = lazy(() => loadWithRetry(loadOnce));

  function LazyPart(props: Props) {
    // Chosen once: switching from the suspending to the loaded component would lose its state.
    const [Component] = useState<ComponentType<Props>>(() => loaded ?? Suspending);
    return <Component {...props} />;
  }
  return Object.assign(LazyPart, {
    preload: () => loadOnce().then(ignore, ignore),
  });
}

const ignore = () => undefined;

/** Loads again at every new connection. A load that fails while connected is rejected: the chunk does not exist. */
export async function loadWithRetry<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (useConnection.getState().status === 'connected') throw error;
    await new Promise<void>((resolve) => {
      const stop = onConnected(() => {
        stop();
        resolve();
      });
    });
    return loadWithRetry(load);
  }
}
