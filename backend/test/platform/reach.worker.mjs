import { execFileSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import dns, { lookup } from 'node:dns';
import { readFileSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { createServer, connect } from 'node:net';
import { Worker } from 'node:worker_threads';
import { serveTasks } from '../../dist/platform/sandbox/sandbox-worker.js';

const awaited = (start) => new Promise((resolve, reject) => start(resolve).once('error', reject));

/** Each attempt to reach beyond the task, by its name. */
const attempts = {
  readsItsFile: ({ own }) => readFileSync(own, 'utf8'),
  writesItsFile: ({ target }) => writeFileSync(target, 'written'),
  readsAnotherFile: ({ other }) => readFileSync(other, 'utf8'),
  writesAnotherFile: ({ other }) => writeFileSync(other, 'changed'),
  readsTheEnvironmentOfTheServer: () => readFileSync(`/proc/${process.ppid}/environ`, 'utf8'),
  readsItsMemory: () => readFileSync('/proc/self/mem'),
  startsAProcess: () => execFileSync('/bin/true'),
  startsAThread: () => new Worker('', { eval: true, execArgv: [] }),
  loadsNativeCode: () => process.dlopen({ exports: {} }, '/nothing.node'),
  bindsInternals: () => process.binding('tcp_wrap'),
  signalsTheServer: () => process.kill(process.ppid, 0),
  opensItsDebugger: () => process._debugProcess(process.ppid),
  connects: ({ port }) => awaited((resolve) => connect(port, '127.0.0.1', resolve)),
  requests: ({ port }) => awaited((resolve) => get({ port, host: '127.0.0.1' }, resolve)),
  fetches: ({ port }) => fetch(`http://127.0.0.1:${port}`),
  listens: () => awaited((resolve) => createServer().listen(0, resolve)),
  sends: ({ port }) => awaited((resolve) => createSocket('udp4').send('a', port, '127.0.0.1', resolve)),
  asksNames: () => new Promise((resolve, reject) => lookup('localhost', (e) => (e ? reject(e) : resolve()))),
  resolves: () => dns.promises.resolve('localhost'),
  resolvesApart: () => new dns.promises.Resolver().resolve4('localhost'),
};

serveTasks(async (task) => {
  const results = {};
  for (const [name, attempt] of Object.entries(attempts)) {
    results[name] = await Promise.resolve()
      .then(() => attempt(task))
      .then(
        () => 'done',
        (error) => error.code ?? error.message,
      );
  }
  return { results };
});
