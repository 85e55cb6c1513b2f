import { type ComponentType, type FunctionComponent, Suspense } from 'react';
import { lazyWithPreload } from './lazy-with-preload';
import { useWhenIdle } from './use-when-idle';

/** A component in a chunk of its own, shown once the browser has been idle: the first screen does not wait for it. */
export function lazyWhenIdle<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): FunctionComponent<Props> {
  const Part = lazyWithPreload(load);
  return function IdlePart(props: Props) {
    return <Suspense>{useWhenIdle(Part.preload) && <Part {...props} />}</Suspense>;
  };
}
