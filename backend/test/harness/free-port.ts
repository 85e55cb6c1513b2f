import { createServer } from 'node:net';

/** Ports of one worker of Jest, below the range from which the system takes ports for outgoing connections. */
const PORTS = 1_000;
const first = 10_000 + (Number(process.env.JEST_WORKER_ID ?? 0) % 20) * PORTS;

let last = Math.floor(Math.random() * PORTS);

/** Finds a free TCP port on the loopback interface. */
export async function freePort(): Promise<number> {
  for (;;) {
    last = (last + 1) % PORTS;
    if (await isFree(first + last)) return first + last;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer().once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
