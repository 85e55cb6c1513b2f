import type { Logger } from './logging.js';
import { OtelTracing } from './otel-tracing.js';
import { NO_SPAN, type Span } from './tracing.js';

const COLLECTOR = { url: 'http://127.0.0.1:9', headers: {}, serviceName: 'tanya' };
const LOGGER = { warn: () => undefined, info: () => undefined } as unknown as Logger;

it('adds neither a span nor a promise to an operation that is not sampled', async () => {
  const tracing = new OtelTracing({ ...COLLECTOR, sampler: 'traceidratio', ratio: 0 }, 'node', LOGGER, 60_000);
  const spans: Span[] = [];
  const result = Promise.resolve();
  const work = (span: Span): Promise<void> => {
    spans.push(span);
    return result;
  };
  expect(tracing.trace('request', {}, work)).toBe(result);
  expect(tracing.span('statement', {}, work)).toBe(result);
  expect(tracing.join('00000001-0000-4000-8000-000000000000', 'resume', {}, work)).toBe(result);
  expect(spans).toEqual([NO_SPAN, NO_SPAN, NO_SPAN]);
  expect(tracing.isRecording).toBe(false);
  expect(tracing.takeTraceId()).toBeNull();
  await tracing.close();
});
