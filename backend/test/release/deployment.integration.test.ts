import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { API_LIMITS, LIMITS } from '@tanya/contract';
import { parse } from 'yaml';
import { ENV_NAMES } from '../../src/config/env.js';

interface Service {
  image?: string;
  profiles?: string[];
  environment?: Record<string, string>;
  depends_on?: string[] | Record<string, object>;
  volumes?: string[];
  configs?: { source: string }[];
  init?: boolean;
  read_only?: boolean;
  healthcheck?: object;
  deploy?: { resources: { limits: { memory: string } } };
}

interface ComposeFile {
  services: Record<string, Service>;
  volumes: Record<string, null>;
  configs: Record<string, { content: string }>;
}

const root = join(import.meta.dirname, '../../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const compose = parse(read('docker-compose.yml'), { merge: true }) as ComposeFile;
const services = Object.entries(compose.services);
const nodes = services.filter(([, service]) => service.image === 'tanya');

/** Bytes of the boundaries and headers of a form, at most. */
const FORM_BYTES = 64 * 1024;

/** Read by the client of S3 and by Node, not by the server's own code. */
const READ_ELSEWHERE = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN', 'NODE_EXTRA_CA_CERTS'];

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
    const known = [...ENV_NAMES, ...READ_ELSEWHERE, 'POSTGRES_PASSWORD', 'BALANCER_PORT'];
    expect(asked.filter((name) => !known.includes(name as never))).toEqual([]);
  });

  test('passes every variable that the operations manual names', () => {
    const named = [...read('docs/operations.md').matchAll(/`([A-Z]{2,}(?:_[A-Z\d]+)+)[`=]/g)].map(([, name]) => name!);
    const passed = [...Object.keys(compose.services['app']!.environment!), ...SET_ELSEWHERE, 'POSTGRES_PASSWORD'];
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
    for (const [, { deploy }] of services) expect(deploy?.resources.limits.memory).toMatch(/^\d+[mg]$/);
    for (const [, { init, read_only }] of nodes) expect({ init, read_only }).toEqual({ init: true, read_only: true });
    for (const name of ['postgres', 'redis', 'nginx']) expect(compose.services[name]).toHaveProperty('healthcheck');
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

  test('runs as an unprivileged user and starts the built server', () => {
    expect(lines).toContain('USER node');
    expect(lines.at(-2)).toBe('CMD ["node", "backend/dist/bundle/main.js"]');
    expect(existsSync(join(root, 'backend/dist/bundle/main.js'))).toBe(true);
  });
});
