import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { OPTIMIZES_LATE } from '../../../scripts/testing/short-lived.mjs';
import { ADMIN } from '../harness/test-app.js';
import { freePort } from '../harness/free-port.js';

const MAIN = fileURLToPath(new URL('../../dist/bundle/main.js', import.meta.url));

export interface ServerProcess {
  url: string;
  /** Whether the process runs. */
  isAlive(): boolean;
  /** Its log so far. */
  output(): string;
  stop(): Promise<void>;
}

/** Starts the built server in a separate process, which a crash ends visibly. */
export async function startServerProcess(databaseUrl: string, env: Record<string, string>): Promise<ServerProcess> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, [OPTIMIZES_LATE, MAIN], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: databaseUrl,
      APP_SECRET: randomBytes(32).toString('base64url'),
      PUBLIC_URL: url,
      HOST: '127.0.0.1',
      PORT: String(port),
      DATA_DIR: join(process.env.TANYA_TEST_FOLDER ?? tmpdir(), randomUUID()),
      TRUST_PROXY: '1',
      ADMIN_USERNAME: ADMIN.username,
      ADMIN_PASSWORD: ADMIN.password,
      LOG_LEVEL: 'error',
      ...env,
    },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  const isAlive = () => child.exitCode === null && child.signalCode === null;
  while (!output.includes('Tanya is ready')) {
    if (!isAlive()) throw new Error(`the server did not start:\n${output}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  return { url, isAlive, output: () => output, stop: () => stop(child, isAlive) };
}

async function stop(child: ChildProcess, isAlive: () => boolean): Promise<void> {
  if (!isAlive()) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await ended;
}
