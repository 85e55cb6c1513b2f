import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PATH_METADATA } from '@nestjs/common/constants.js';
import { ENV_NAMES, EnvError, readEnv } from '../../src/config/env.js';
import { DEFAULT_TIMINGS } from '../../src/config/timings.js';
import { neededMegabytes } from '../../src/platform/sandbox/container-memory.js';
import { HealthController } from '../../src/platform/operations/health.controller.js';
import { type Container, type Manifest, manifestFiles, problemsOf, readManifest, readText } from './manifests.js';

const root = join(import.meta.dirname, '../../..');

const manifests = new Map(manifestFiles.map((file): [string, Manifest] => [file, readManifest(file)]));
const deployment = manifests.get('deployment.yaml')!;
const job = manifests.get('migration-job.yaml')!;
const config = manifests.get('config.yaml')!.data!;
const secret = manifests.get('secret.example.yaml')!.stringData!;

const containerOf = (manifest: Manifest): Container => manifest.spec.template.spec.containers[0]!;
const node = containerOf(deployment);

/** Read by the client of S3, not by the server's own code. */
const READ_ELSEWHERE = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN'];

/** Time after the grace period in which interrupted answers store their end, s; then 4 s for all other resources. */
const END_SECONDS = 9;

describe('the manifests of docs/deploy', () => {
  it.each([...manifests])('satisfy the published schema: %s', async (_file, manifest) => {
    expect(await problemsOf(manifest)).toEqual([]);
  });

  it.each([
    ['a missing field', (spec: Record<string, unknown>) => delete spec['containers'], 'containers'],
    ['a wrong type', (spec: Record<string, unknown>) => (spec['terminationGracePeriodSeconds'] = '60 s'), 'integer'],
    ['an unknown field', (spec: Record<string, unknown>) => (spec['restartpolicy'] = 'Never'), 'restartpolicy'],
  ])('would not satisfy it with %s', async (_what, change, problem) => {
    const changed = structuredClone(deployment);
    change(changed.spec.template.spec as unknown as Record<string, unknown>);
    expect((await problemsOf(changed)).join()).toContain(problem);
  });

  it('stand in the kustomization, except the example of the secret and the migration', () => {
    const listed = readManifest('kustomization.yaml').resources!;
    const apart = ['secret.example.yaml', 'migration-job.yaml'];
    expect(listed.toSorted()).toEqual(manifestFiles.filter((file) => !apart.includes(file)).sort());
  });

  it('name one namespace and one version of the image', () => {
    const namespace = manifests.get('namespace.yaml')!.metadata.name;
    for (const [file, { metadata }] of manifests) {
      if (file !== 'namespace.yaml') expect({ file, namespace: metadata.namespace }).toEqual({ file, namespace });
    }
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    for (const { image } of [node, containerOf(job)]) expect(image.split(':')[1]).toBe(version);
  });
});

describe('the environment of the pods', () => {
  it('has only variables that the server reads, each in one place', () => {
    const names = [...Object.keys(config), ...Object.keys(secret)];
    expect(names.filter((name) => ![...ENV_NAMES, ...READ_ELSEWHERE].includes(name))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(expect.arrayContaining(READ_ELSEWHERE));
  });

  it('is valid as soon as the secret has an APP_SECRET, which the example leaves blank', () => {
    const problems = (source: object): string[] => {
      try {
        readEnv(source);
        return [];
      } catch (error) {
        return (error as EnvError).problems;
      }
    };
    expect(problems({ ...config, ...secret })).toEqual([expect.stringMatching(/^APP_SECRET is required/)]);
    const env = readEnv({ ...config, ...secret, APP_SECRET: 'q8Zr1-vT5_kM3xW9-bN7cY2-eH4uJ6sDfLg' });
    expect(env).toMatchObject({ host: '0.0.0.0', webConcurrency: 1, port: node.ports![0]!.containerPort });
    expect([env.redisUrl, env.filesUrl, env.trustProxy]).not.toContain(null);
  });

  it('holds no value in the example of the secret except placeholders', () => {
    const filled = Object.values(secret).filter((value) => value !== '');
    expect(filled.filter((value) => !/PASSWORD@[\w.]+\.example\.org\b/.test(value))).toEqual([]);
  });

  it.each([deployment, job])('comes from the config map and the secret', (manifest) => {
    const names = containerOf(manifest).envFrom.map(({ configMapRef, secretRef }) => (configMapRef ?? secretRef)!.name);
    const declared = ['config.yaml', 'secret.example.yaml'].map((file) => manifests.get(file)!.metadata.name);
    expect(names).toEqual(declared);
  });
});

describe('a pod', () => {
  it.each([deployment, job])('is as restricted as a container of docker-compose.yml', (manifest) => {
    const { spec } = manifest.spec.template;
    expect(spec).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
    });
    const { securityContext, resources, volumeMounts } = containerOf(manifest);
    expect(securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect(resources.limits.memory).toMatch(/^\d+[MG]i$/);
    expect(volumeMounts.map(({ mountPath }) => mountPath)).toEqual(['/tmp', '/data']);
    expect(volumeMounts.map(({ name }) => name)).toEqual(spec.volumes.map(({ name }) => name));
  });

  it('has the memory that a server process and its children may take', () => {
    const [, size, unit] = /^(\d+)([MG])i$/.exec(node.resources.limits.memory)!;
    expect(Number(size) * (unit === 'G' ? 1024 : 1)).toBeGreaterThanOrEqual(neededMegabytes(1));
    expect(readFileSync(join(root, 'docs/operations.md'), 'utf8')).toContain('singleProcessOOMKill');
  });

  it('is probed at routes of the health controller', () => {
    const pathOf = (target: object) => Reflect.getMetadata(PATH_METADATA, target) as string;
    const routes = ['live', 'ready'] as const;
    const [live, ready] = routes.map(
      (name) => `/${pathOf(HealthController)}/${pathOf(HealthController.prototype[name])}`,
    );
    const probes = [node.startupProbe!, node.livenessProbe!, node.readinessProbe!];
    expect(probes.map(({ httpGet }) => httpGet.path)).toEqual([live, live, ready]);
    for (const { httpGet } of probes) expect(httpGet.port).toBe(node.ports![0]!.name);
  });

  it('has time to start, and to drain after its drain hook', () => {
    const { periodSeconds, failureThreshold } = node.startupProbe!;
    expect(periodSeconds * failureThreshold).toBeGreaterThan(
      (2 * DEFAULT_TIMINGS.startTimeout + DEFAULT_TIMINGS.rolloutWait) / 1000,
    );
    const [program, seconds] = node.lifecycle!.preStop.exec.command;
    const { periodSeconds: probed, failureThreshold: failures } = node.readinessProbe!;
    expect([program, Number(seconds)]).toEqual(['sleep', probed * failures]);
    const needed = Number(seconds) + DEFAULT_TIMINGS.shutdownGrace / 1000 + END_SECONDS;
    expect(deployment.spec.template.spec.terminationGracePeriodSeconds).toBeGreaterThan(needed);
  });

  it('runs the migration of the image', () => {
    const [program, file] = containerOf(job).command!;
    expect(program).toBe('node');
    expect(existsSync(join(root, file!.replace('/dist/', '/src/').replace(/\.js$/, '.ts')))).toBe(true);
  });
});

describe('the objects around the pods', () => {
  interface Around {
    spec: {
      scaleTargetRef: { name: string };
      metrics: { pods?: { metric: { name: string } } }[];
      selector: Record<string, string> & { matchLabels: Record<string, string> };
      ports: { name: string; targetPort: string }[];
      podSelector: { matchLabels: Record<string, string> };
      ingress: { ports: { port: string }[] }[];
      egress: { ports: { port: number }[] }[];
      rules: { http: { paths: { backend: { service: { name: string; port: { name: string } } } }[] } }[];
    };
  }
  const around = (file: string): Around['spec'] => readManifest<Around>(file).spec;
  const labels = deployment.spec.template.metadata.labels;
  const service = around('service.yaml');

  it('select the nodes, and only the network policy selects the migration too', () => {
    const selectors = [
      deployment.spec.selector.matchLabels,
      service.selector,
      around('disruption-budget.yaml').selector.matchLabels,
    ];
    for (const selector of selectors) {
      expect(labels).toMatchObject(selector);
      expect(job.spec.template.metadata.labels).not.toMatchObject(selector);
    }
    const { matchLabels } = around('network-policy.yaml').podSelector;
    for (const { spec } of [deployment, job]) expect(spec.template.metadata.labels).toMatchObject(matchLabels);
  });

  it('refer to the deployment, the service and the port by their names', () => {
    expect(around('autoscaler.yaml').scaleTargetRef.name).toBe(deployment.metadata.name);
    const { name, port } = around('ingress.yaml').rules[0]!.http.paths[0]!.backend.service;
    expect([name, port.name]).toEqual([manifests.get('service.yaml')!.metadata.name, service.ports[0]!.name]);
    const ports = [service.ports[0]!.targetPort, around('network-policy.yaml').ingress[0]!.ports[0]!.port];
    expect(ports).toEqual([node.ports![0]!.name, node.ports![0]!.name]);
  });

  it('let the nodes reach the servers of the secret, poolers, Sentinels, MinIO, the collector and mail servers', () => {
    const open = around('network-policy.yaml').egress.flatMap(({ ports }) => ports.map(({ port }) => port));
    const ofSecret = [secret['DATABASE_URL']!, secret['REDIS_URL']!].map((url) => Number(new URL(url).port));
    expect(open).toEqual(expect.arrayContaining([...ofSecret, 6432, 26_379, 9000, 4318, 465, 587]));
  });

  it('are all named in the operations manual', () => {
    const manual = readFileSync(join(root, 'docs/operations.md'), 'utf8');
    const files = readdirSync(join(root, 'docs/deploy')).filter((file) => !manifestFiles.includes(file));
    expect(files.filter((file) => !manual.includes(file))).toEqual([]);
    expect(readText('ingress.yaml')).toContain(new URL(config['PUBLIC_URL']!).hostname);
  });
});
