/** Exit code of a sandbox process that exceeded its memory limit. */
export const OUT_OF_MEMORY = 9;

/** Message that starts a sandbox process. */
export interface SandboxRequest {
  /** URL of the compiled worker module. */
  worker: string;
  /** `workerData` of the worker thread; structured-cloneable. */
  task: unknown;
}
