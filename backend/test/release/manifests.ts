import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const folder = join(import.meta.dirname, '../../../docs/deploy');

export interface PodSpec {
  automountServiceAccountToken: boolean;
  terminationGracePeriodSeconds?: number;
  securityContext: object;
  containers: Container[];
  volumes: { name: string }[];
}

interface Probe {
  httpGet: { path: string; port: string };
  periodSeconds: number;
  timeoutSeconds: number;
  failureThreshold: number;
}

export interface Container {
  image: string;
  command?: string[];
  ports?: { name: string; containerPort: number }[];
  envFrom: { configMapRef?: { name: string }; secretRef?: { name: string } }[];
  lifecycle?: { preStop: { exec: { command: string[] } } };
  startupProbe?: Probe;
  livenessProbe?: Probe;
  readinessProbe?: Probe;
  resources: { limits: { memory: string } };
  securityContext: object;
  volumeMounts: { name: string; mountPath: string }[];
}

/** The fields of all kinds that the tests compare. The published schemas check the rest. */
export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; labels?: Record<string, string> };
  data?: Record<string, string>;
  stringData?: Record<string, string>;
  resources?: string[];
  spec: {
    selector: { matchLabels: Record<string, string> };
    template: { metadata: { labels: Record<string, string> }; spec: PodSpec };
    topologySpreadConstraints?: object[];
  };
}

export const readText = (file: string): string => readFileSync(join(folder, file), 'utf8');

export const readManifest = <T = Manifest>(file: string): T => parse(readText(file)) as T;

/** Files of the Prometheus configuration, which are no objects of Kubernetes. */
const OTHER_FILES = /^prometheus-|^kustomization\.yaml$/;

export const manifestFiles = readdirSync(folder).filter((file) => file.endsWith('.yaml') && !OTHER_FILES.test(file));

/**
 * Validates a manifest with the schema that Kubernetes publishes for its kind. The schemas permit unknown fields, where
 * `kubectl` warns and the API server drops them, so a field that the validator never reads is a problem too.
 */
export async function problemsOf(manifest: Manifest): Promise<string[]> {
  const models = (await import(`kubernetes-models/${manifest.apiVersion}`)) as Record<
    string,
    { prototype: { validate(): void } }
  >;
  const model = models[manifest.kind];
  if (model === undefined) return [`${manifest.apiVersion} has no kind ${manifest.kind}`];
  const unread = new Set<string>();
  try {
    model.prototype.validate.call(watched(manifest, '', unread));
  } catch (error) {
    return [(error as Error).message];
  }
  return [...unread].map((path) => `unknown field ${path}`);
}

/** A view of `value` that removes the path of each field from `unread` when it is read. */
function watched(value: unknown, path: string, unread: Set<string>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const children = new Map<string | symbol, unknown>();
  for (const [key, child] of Object.entries(value)) {
    unread.add(`${path}/${key}`);
    children.set(key, watched(child, `${path}/${key}`, unread));
  }
  return new Proxy(value, {
    get(target, key) {
      unread.delete(`${path}/${String(key)}`);
      return children.get(key) ?? (Reflect.get(target, key) as unknown);
    },
  });
}
