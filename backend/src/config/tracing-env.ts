import { trimEndOf } from '@tanya/contract';
import * as v from 'valibot';
import { baseUrl, text, textOr } from './env-values.js';

const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

export type SamplerName = (typeof SAMPLERS)[number];

export interface TracingEnv {
  url: string;
  headers: Record<string, string>;
  serviceName: string;
  sampler: SamplerName;
  /** Share of the traces that samplers by ratio export. */
  ratio: number;
}

/** A value is printable ASCII, encoded or not, as it stands in a header. It may hold `=`, which ends Base64. */
const PAIR = String.raw`\s*[\w-]+=(?:[ -$&-+\--~]|%[2-6][\da-f]|%7[\da-e])+`;
const HEADERS = new RegExp(`^${PAIR}(?:,${PAIR})*$`, 'i');

const headers = v.pipe(
  text,
  v.check(
    (value) => value === null || HEADERS.test(value),
    'must be a list such as authorization=Bearer%20token,x-team=chat',
  ),
  v.transform((value) => Object.fromEntries((value?.split(',') ?? []).map(headerIn))),
);

function headerIn(pair: string): [name: string, value: string] {
  const [, name = '', value = ''] = /^([^=]+)=(.*)$/.exec(pair.trim()) ?? [];
  return [name, decodeURIComponent(value)];
}

const ratio = v.pipe(
  textOr('1'),
  v.transform(Number),
  v.check((value) => value >= 0 && value <= 1, 'must be a number from 0 to 1'),
);

/** The standard variables of OpenTelemetry that the server reads. */
export const tracingVariables = {
  OTEL_EXPORTER_OTLP_ENDPOINT: baseUrl,
  OTEL_EXPORTER_OTLP_HEADERS: headers,
  OTEL_SERVICE_NAME: textOr('tanya'),
  OTEL_TRACES_SAMPLER: v.nullable(
    v.picklist(SAMPLERS, `must be one of ${SAMPLERS.join(', ')}`),
    'parentbased_always_on',
  ),
  OTEL_TRACES_SAMPLER_ARG: ratio,
};

type TracingVariables = v.InferOutput<v.ObjectSchema<typeof tracingVariables, undefined>>;

/** @returns null without a collector: nothing is traced */
export function tracingEnv(values: TracingVariables): TracingEnv | null {
  const endpoint = values.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (endpoint === null) return null;
  return {
    url: `${trimEndOf(endpoint, '/')}/v1/traces`,
    headers: values.OTEL_EXPORTER_OTLP_HEADERS,
    serviceName: values.OTEL_SERVICE_NAME,
    sampler: values.OTEL_TRACES_SAMPLER,
    ratio: values.OTEL_TRACES_SAMPLER_ARG,
  };
}
