import { type ComponentType, type FunctionComponent, lazy, useState } from 'react';
import { onConnected, useConnection } from '../../app/socket/socket';

type Preloadable<Props> = FunctionComponent<Props> & {
  /** Fetches it ahead of its first use. */
  preload: () => void;
};

/**
 * A component in a file of its own. Rendered before it is there it suspends, without a connection until there is one;
 * fetched ahead it shows at once, where React's `lazy` would show the fallback for a moment even then.
 */
export function lazyWithPreload<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): Preloadable<Props> {
  let loaded: ComponentType<Props> | null = null;
  const loadAndKeep = async () => {
    const file = await load();
    loaded = file.default;
    return file;
  };
  const Suspending = lazy(() => onceConnected(loadAndKeep));

  function Part(props: Props) {
    // Chosen once: another component in its place would lose the state of the one that is shown.
    const [Shown] = useState<ComponentType<Props>>(() => loaded ?? Suspending);
    return <Shown {...props} />;
  }
  return Object.assign(Part, {
    // A failed fetch is tried again when the part is really needed.
    preload: () => void loadAndKeep().catch(() => undefined),
  });
}

/** Tries again at every new connection. What fails over a connection is not there. */
async function onceConnected<T>(load: () => Promise<T>): Promise<T> {
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
    return onceConnected(load);
  }
}
