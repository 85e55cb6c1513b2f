import { withoutReach } from './without-reach.js';

/**
 * Runs each task that the server sends to this process, one at a time. A task that throws ends the process. Called by the
 * modules that a `SandboxProcess` starts, after their imports and before any untrusted input.
 */
export function serveTasks<Task>(run: (task: Task) => object | Promise<object>): void {
  withoutReach();
  process.once('disconnect', () => process.exit());
  process.on('message', (task: Task) => {
    void Promise.resolve(run(task)).then((result) => process.send?.(result));
  });
}
