/** Runs `work` when the browser is idle, at the latest after the timeout; returns a cancel function. */
export function whenIdle(work: () => void, timeoutMs = 500): () => void {
  if (typeof requestIdleCallback === 'function') {
    const request = requestIdleCallback(work, { timeout: timeoutMs });
    return () => cancelIdleCallback(request);
  }
  const timer = setTimeout(work, 0);
  return () => clearTimeout(timer);
}

/** Resolves when the browser is idle, at the latest after the timeout. */
export function idle(timeoutMs: number): Promise<void> {
  return new Promise((resolve) => whenIdle(resolve, timeoutMs));
}
