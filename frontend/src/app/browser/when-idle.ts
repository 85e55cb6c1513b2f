/** Does something once the browser has nothing more urgent to do; returns the way to call it off. */
export function whenIdle(work: () => void, timeoutMs = 500): () => void {
  if (typeof requestIdleCallback === 'function') {
    const request = requestIdleCallback(work, { timeout: timeoutMs });
    return () => cancelIdleCallback(request);
  }
  const timer = setTimeout(work, 0);
  return () => clearTimeout(timer);
}
