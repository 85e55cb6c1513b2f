import './require-node.mjs';
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from './build-steps.mjs';

/**
 * `node scripts/image.mjs` checks the Dockerfile on a machine without Docker: it follows the instructions in a scratch
 * folder and starts the result. The local Node replaces the one of the base image; `chown` is skipped.
 */
const READY_TIMEOUT_MS = 60_000;
const IGNORED = readFileSync(join(root, '.dockerignore'), 'utf8')
  .split('\n')
  .map((line) => line.replace('**/', ''));

const isCopied = (path) =>
  !IGNORED.includes(basename(path)) && !IGNORED.some((line) => line.startsWith('*') && path.endsWith(line.slice(1)));

/** One stage of the build; `folder` is the root of its file system. */
class Stage {
  env = {};
  workdir = '/';
  command = [];
  healthCheck = '';

  /** @param base the stage of the FROM instruction, unless it is an external image */
  constructor(folder, stages, base) {
    this.folder = folder;
    this.stages = stages;
    if (base) {
      cpSync(base.folder, folder, { recursive: true, verbatimSymlinks: true });
      Object.assign(this, { env: { ...base.env }, workdir: base.workdir });
    } else mkdirSync(folder);
  }

  inside(path) {
    return join(this.folder, path.startsWith('/') ? path : join(this.workdir, path));
  }

  follow(instruction, rest) {
    if (instruction === 'WORKDIR') mkdirSync(this.inside((this.workdir = rest)), { recursive: true });
    if (instruction === 'ENV')
      Object.assign(this.env, Object.fromEntries(rest.split(' ').map((each) => /^([^=]+)=(.*)$/.exec(each).slice(1))));
    if (instruction === 'COPY') this.copy(rest.split(' '));
    if (instruction === 'RUN') this.run(rest);
    if (instruction === 'CMD') this.command = JSON.parse(rest);
    if (instruction === 'HEALTHCHECK') this.healthCheck = rest.split(' CMD ')[1];
  }

  copy(words) {
    const from = words[0].startsWith('--from=') ? this.stages.get(words.shift().slice('--from='.length)) : null;
    const target = words.pop();
    for (const source of words) {
      const path = from ? from.inside(source) : join(root, source);
      const isIntoFolder = target.endsWith('/') && !statSync(path).isDirectory();
      const to = isIntoFolder ? join(this.inside(target), basename(source)) : this.inside(target);
      cpSync(path, to, { recursive: true, verbatimSymlinks: true, filter: from ? undefined : isCopied });
    }
  }

  run(line) {
    const here = line.replaceAll(/(?<= )\/data\b/g, this.inside('/data')).replaceAll(/chown \S+ \S+/g, 'true');
    console.log(`RUN ${here}`);
    const env = { PATH: process.env.PATH, HOME: process.env.HOME, ...this.env };
    const { status } = spawnSync('sh', ['-ec', here], { cwd: this.inside('.'), env, stdio: 'inherit' });
    if (status !== 0) throw new Error(`RUN exited with ${status}.`);
  }

  /** Starts the command of the image, requests the page, runs the health check and stops the server. */
  async start() {
    const port = await freePort();
    const [, ...args] = this.command;
    const env = { PATH: process.env.PATH, ...this.env, DATA_DIR: this.inside(this.env.DATA_DIR), PORT: String(port) };
    const child = spawn(process.execPath, args, { cwd: this.inside('.'), env, stdio: 'inherit' });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    try {
      await this.untilReady(`http://127.0.0.1:${port}`, child);
      this.checkHealth(env);
    } finally {
      child.kill('SIGTERM');
      await ended;
    }
    if (child.exitCode !== 0)
      throw new Error(`The server did not exit with 0 on SIGTERM: ${child.signalCode ?? child.exitCode}.`);
  }

  /** Runs the commands that the manual starts in a container. */
  checkScripts() {
    const env = { PATH: process.env.PATH, ...this.env, DATA_DIR: this.inside(this.env.DATA_DIR) };
    const backup = this.inside('/backup');
    for (const args of [
      ['migrate.mjs'],
      ['backup.mjs', backup],
      ['restore.mjs', backup, '--verify'],
      ['usage-rebuild.mjs'],
    ]) {
      const [name, ...rest] = args;
      const { status } = spawnSync(process.execPath, [`scripts/${name}`, ...rest], {
        cwd: this.inside('.'),
        env,
        stdio: 'inherit',
      });
      if (status !== 0) throw new Error(`scripts/${name} exited with ${status}.`);
    }
  }

  checkHealth(env) {
    const { status } = spawnSync('sh', ['-c', this.healthCheck], { env, stdio: 'inherit' });
    if (status !== 0) throw new Error(`The health check exited with ${status}.`);
  }

  async untilReady(url, child) {
    for (
      const deadline = Date.now() + READY_TIMEOUT_MS;
      child.exitCode === null && Date.now() < deadline;
      await sleep(100)
    ) {
      const answer = await fetch(`${url}/api/health/ready`).catch(() => null);
      if (answer?.status !== 200) continue;
      const page = await fetch(url);
      if (page.status === 200 && (await page.text()).includes('<script')) return;
      throw new Error(`The page request returned ${page.status}.`);
    }
    throw new Error('The server was not ready in time.');
  }
}

function freePort() {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

const folder = mkdtempSync(join(tmpdir(), 'tanya-image-'));
const stages = new Map();
let stage = null;
try {
  for (const line of readFileSync(join(root, 'Dockerfile'), 'utf8').replaceAll('\\\n', ' ').split('\n')) {
    const [, instruction, rest] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
    if (instruction === 'FROM') {
      const [base, name = 'last'] = rest.split(' AS ');
      stage = new Stage(join(folder, name), stages, stages.get(base));
      stages.set(name, stage);
    } else if (instruction) stage.follow(instruction, rest);
  }
  await stage.start();
  stage.checkScripts();
  console.log('The image builds, starts, serves the page, passes its health check, stops and is backed up.');
} finally {
  rmSync(folder, { recursive: true, force: true });
}
