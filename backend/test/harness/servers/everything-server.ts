import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { freePort } from '../free-port.js';

/** The official reference server of MCP over Streamable HTTP. Its package has no entry besides its program. */
const PROGRAM = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/dist/index.js');

export interface EverythingServer {
  url: string;
  stop(): Promise<void>;
}

/**
 * Starts the reference server as a child process on the loopback interface.
 * @param port a free one by default
 */
export async function startEverythingServer(port?: number): Promise<EverythingServer> {
  const listening = port ?? (await freePort());
  const env = { PATH: process.env['PATH'] ?? '', PORT: String(listening) };
  const child = spawn(process.execPath, [PROGRAM, 'streamableHttp'], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const exited = once(child, 'exit');
  process.once('exit', () => child.kill('SIGKILL'));
  let isListening = false;
  for await (const line of createInterface({ input: child.stderr })) {
    isListening = line.includes('listening on port');
    if (isListening) break;
  }
  if (!isListening) throw new Error('The reference server did not start');
  child.stderr.resume();
  return {
    url: `http://127.0.0.1:${listening}/mcp`,
    stop: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
