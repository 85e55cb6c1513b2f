import type { ChildProcess } from 'node:child_process';

/**
 * Kills a child process. One that did not start, for example without a free file descriptor, has no id: `kill` would
 * send the signal to the process group of the server.
 */
export function killProcess(child: ChildProcess): void {
  if (child.pid !== undefined) child.kill('SIGKILL');
}
