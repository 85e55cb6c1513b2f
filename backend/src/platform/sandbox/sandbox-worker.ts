import dgram from 'node:dgram';
import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';

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

/** Globals that open connections. */
const CLIENTS = ['fetch', 'WebSocket', 'EventSource'];

/** Functions of `process` that reach other processes: a signal ends the server, or opens its debugger. */
const SIGNALS = ['kill', '_kill', '_debugProcess'];

/** Each object, with the methods that open a socket, listen or ask a name server. */
const CONNECTING: [target: object, names: (name: string) => boolean][] = [
  [net.Socket.prototype, (name) => name === 'connect'],
  [net.Server.prototype, (name) => name === 'listen'],
  [dgram.Socket.prototype, (name) => ['bind', 'connect', 'send'].includes(name)],
  ...[dns, dns.promises, dns.Resolver.prototype, dns.promises.Resolver.prototype].map(
    (target): [object, (name: string) => boolean] => [target, (name) => /^(?:lookup|resolve|reverse)/.test(name)],
  ),
];

function refuse(): never {
  throw new Error('this process has no network');
}

/**
 * Takes network and signals from this process, which Node's permission model leaves to it (before Node 25). It binds
 * JavaScript alone: HTTP, TLS and `fetch` connect through `net`. Native code that an exploit runs is not bound.
 */
function withoutReach(): void {
  for (const name of CLIENTS) Reflect.deleteProperty(globalThis, name);
  for (const name of SIGNALS) Reflect.deleteProperty(process, name);
  for (const [target, isConnecting] of CONNECTING) {
    for (const name of Object.getOwnPropertyNames(target).filter(isConnecting)) {
      Object.defineProperty(target, name, { value: refuse });
    }
  }
  // Named imports of `node:dns` follow.
  syncBuiltinESMExports();
}
