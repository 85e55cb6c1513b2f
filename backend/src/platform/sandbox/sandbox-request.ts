/** Exit code of a sandbox process that exceeded its limit of memory or of CPU time. */
export const EXHAUSTED = 9;

/** Message that starts a task in a sandbox process. All tasks of a process name the same module. */
export interface SandboxRequest {
  /** URL of the compiled worker module, which calls `serveTasks`. */
  worker: string;
  /** Message to the worker thread; structured-cloneable. */
  task: unknown;
  /** CPU time that the task may take, ms; unlimited without it. */
  cpuMs?: number;
}
