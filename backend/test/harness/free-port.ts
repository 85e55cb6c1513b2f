import { createServer, type Server } from 'node:net';

/** Ports of one process. */
const PORTS = 500;

/** First ports of the ranges, which lie below the one from which the system takes ports for outgoing connections. */
const RANGES = Array.from({ length: 40 }, (_, index) => 10_000 + index * PORTS);

/**
 * First port of this process's range. The process listens on it, so that no other process takes the range. Each test file
 * has its own copy of this module, so the claim stands in a global.
 */
const claim = globalThis as typeof globalThis & { tanyaPorts?: Promise<number> };

let last = Math.floor(Math.random() * PORTS);

/**
 * Finds a free TCP port on the loopback interface. No other process of tests gets it, not even while the program that runs
 * on it restarts.
 * @throws Error when other processes have claimed all ranges
 */
export async function freePort(): Promise<number> {
  const first = await (claim.tanyaPorts ??= claimRange());
  for (;;) {
    last = (last % (PORTS - 1)) + 1;
    // Another call may go on during this one.
    const port = first + last;
    const probe = await listen(port);
    if (probe === undefined) continue;
    await new Promise((resolve) => probe.close(resolve));
    return port;
  }
}

async function claimRange(): Promise<number> {
  for (const first of RANGES) {
    const server = await listen(first);
    if (server === undefined) continue;
    server.unref();
    return first;
  }
  throw new Error('No range of ports is free for the tests.');
}

/** @returns undefined when the port is taken */
function listen(port: number): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const server = createServer().once('error', () => resolve(undefined));
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}
