import { fork, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { openSync } from 'node:fs';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

const isPinned = availableParallelism() > 1 && spawnSync('taskset', ['--version']).status === 0;

/** Cores of the server under test, and of everything else. */
export const cores = {
  server: '1',
  others: availableParallelism() > 2 ? `0,2-${availableParallelism() - 1}` : '0',
  all: `0-${availableParallelism() - 1}`,
};

export const pinning = isPinned
  ? `server on core ${cores.server}, everything else on ${cores.others}`
  : 'no cores were reserved (taskset is missing)';

const pinned = (where, command) => (isPinned ? ['taskset', '-c', where, ...command] : command);

export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/**
 * Starts a program on its core and waits until it is ready.
 * @param options.log file for its output, so that logging costs as much as in production
 */
export async function start(command, { env = {}, core = cores.others, log, readyWhen } = {}) {
  const [program, ...args] = pinned(core, command);
  const output = log === undefined ? 'pipe' : openSync(log, 'a');
  const child = spawn(program, args, {
    cwd: root,
    env: { ...process.env, NODE_ENV: 'production', ...env },
    stdio: ['ignore', output, log === undefined ? 'inherit' : output],
  });
  const exited = once(child, 'exit');
  const isReady = readyWhen ? readyWhen() : printed(child, 'ready');
  const failed = exited.then(([code]) => Promise.reject(new Error(`${command.join(' ')} ended with ${code}`)));
  await Promise.race([isReady, failed]);
  failed.catch(() => undefined);
  return {
    pid: child.pid,
    /** Ends the process. @param signal SIGKILL skips its shutdown */
    async end(signal = 'SIGTERM') {
      const killTimer = setTimeout(() => child.kill('SIGKILL'), 30_000);
      child.kill(signal);
      await exited;
      clearTimeout(killTimer);
    },
  };
}

function printed(child, word) {
  return new Promise((resolve) => {
    child.stdout.on('data', (bytes) => String(bytes).includes(word) && resolve());
  });
}

const loadProgram = fileURLToPath(new URL('load/load.mjs', import.meta.url));

/** Runs the users of a plan in a separate process. */
export async function runLoad(plan) {
  const child = fork(loadProgram, { cwd: root });
  child.send(plan);
  const [result] = await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]) => [{ error: `the load process ended with ${code}` }]),
  ]);
  if (result.error) throw new Error(result.error);
  return result;
}

/** Moves this process and its future children off the core of the server. */
export function leaveServerCore() {
  if (isPinned) spawnSync('taskset', ['-cp', cores.others, String(process.pid)]);
}

/** Lets future children use all cores. @returns undoes it */
export function useAllCores() {
  if (!isPinned) return () => undefined;
  spawnSync('taskset', ['-cp', cores.all, String(process.pid)]);
  return leaveServerCore;
}
