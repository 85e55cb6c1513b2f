import { withoutReach } from './without-reach.js';

/** Sends what counts as the result should the process be exhausted before its end. Resolves when it is sent. */
export type Keep<Result> = (soFar: Result) => Promise<void>;

/**
 * Runs each task that the server sends to this process, one at a time. A task that throws ends the process. Called by the
 * modules that a `SandboxProcess` starts, after their imports and before any untrusted input.
 */
export function serveTasks<Task, Result extends object>(
  run: (task: Task, keep: Keep<Result>) => Result | Promise<Result>,
): void {
  const keep: Keep<Result> = (soFar) => new Promise((resolve) => process.send?.({ soFar }, () => resolve()));
  withoutReach();
  process.once('disconnect', () => process.exit());
  process.on('message', (task: Task) => {
    void Promise.resolve(run(task, keep)).then((result) => process.send?.(result));
  });
}
