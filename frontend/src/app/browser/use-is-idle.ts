import { useEffect, useState } from 'react';
import { whenIdle } from './when-idle';

/** False until the browser has been idle once, for parts that need not delay the first screen. */
export function useIsIdle(): boolean {
  const [isIdle, setIdle] = useState(false);
  useEffect(() => whenIdle(() => setIdle(true)), []);
  return isIdle;
}
