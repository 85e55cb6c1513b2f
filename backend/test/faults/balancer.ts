import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'yaml';

const COMPOSE = new URL('../../../docker-compose.yml', import.meta.url);

interface ComposeFile {
  configs: { nginx: { content: string } };
}

/** nginx with its configuration from docker-compose.yml, in front of any number of server processes. */
export class Balancer {
  private constructor(
    private readonly child: ChildProcess,
    readonly port: number,
  ) {}

  /** @param program the path of nginx */
  static async start(program: string, folder: string, port: number, nodes: number[]): Promise<Balancer> {
    await mkdir(folder, { recursive: true });
    const file = join(folder, 'nginx.conf');
    await writeFile(file, configuration(folder, port, nodes));
    const child = spawn(program, ['-c', file, '-p', folder, '-e', join(folder, 'error.log'), '-g', 'daemon off;'], {
      stdio: 'ignore',
    });
    const balancer = new Balancer(child, port);
    await balancer.untilUp();
    return balancer;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Replaces the worker process. The previous one closes its idle connections at once. */
  reload(): void {
    this.child.kill('SIGHUP');
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.kill('SIGTERM');
    await ended;
  }

  private async untilUp(): Promise<void> {
    for (let tries = 0; tries < 100; tries += 1) {
      if (this.child.exitCode !== null) break;
      const answer = await fetch(`http://127.0.0.1:${this.port}/api/health/live`).catch(() => null);
      if (answer?.status === 200) return;
      await sleep(50);
    }
    throw new Error('nginx did not start; see its error.log');
  }
}

function configuration(folder: string, port: number, nodes: number[]): string {
  const { content } = (parse(readFileSync(COMPOSE, 'utf8')) as ComposeFile).configs.nginx;
  const site = content
    .replaceAll('$$', '$')
    .replace('listen 8080;', `listen 127.0.0.1:${port};`)
    .replaceAll(/^ *server app-\d:3000 .*\n/gm, '')
    .replaceAll(/server app:3000 (.*);/g, (_, rules: string) =>
      nodes.map((node) => `server 127.0.0.1:${node} ${rules};`).join('\n'),
    );
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (each) => `${each}_temp_path ${folder}/${each};`,
  );
  // As root, workers would run as another user, who cannot store request bodies in the folder.
  return `${process.getuid?.() === 0 ? 'user root;\n' : ''}worker_processes 1;
pid ${folder}/nginx.pid;
events { worker_connections 4096; }
http {
access_log off;
${folders.join('\n')}
${site}
}
`;
}
