import { parentPort } from 'node:worker_threads';

/** Runs each task that this worker thread receives, one at a time. A task that throws ends the process. */
export function serveTasks<Task>(run: (task: Task) => object | Promise<object>): void {
  parentPort!.on('message', (task: Task) => {
    void Promise.resolve(run(task)).then((result) => parentPort!.postMessage(result));
  });
}
