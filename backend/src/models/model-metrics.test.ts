import { Metrics } from '../platform/observability/metrics.js';
import { ModelMetrics } from './model-metrics.js';

const NOTHING = { code: null, promptTokens: null, completionTokens: null, costUsd: null };

async function seriesAfter(work: (metrics: ModelMetrics) => void): Promise<string[]> {
  const registry = new Metrics();
  work(new ModelMetrics(registry));
  const { text } = await registry.exposition();
  return text.split('\n').filter((line) => line.startsWith('tanya_model_'));
}

it('counts answers, errors, tokens, cost and the first token of a model', async () => {
  const by = { modelId: 'maker/small', connection: 'OpenAI' };
  const series = await seriesAfter((metrics) => {
    metrics.firstToken(0.4, by);
    metrics.ended({ code: null, promptTokens: 7, completionTokens: 2, costUsd: '0.5' }, by);
    metrics.ended({ ...NOTHING, code: 'provider_busy' }, { ...by, connection: undefined });
  });
  expect(series).toEqual(
    expect.arrayContaining([
      'tanya_model_requests_total{model="maker/small",connection="OpenAI"} 1',
      'tanya_model_requests_total{model="maker/small",connection="none"} 1',
      'tanya_model_errors_total{model="maker/small",connection="none",code="provider_busy"} 1',
      'tanya_model_tokens_total{model="maker/small",connection="OpenAI",kind="prompt"} 7',
      'tanya_model_tokens_total{model="maker/small",connection="OpenAI",kind="completion"} 2',
      'tanya_model_cost_usd_total{model="maker/small",connection="OpenAI"} 0.5',
      'tanya_model_first_token_seconds_bucket{le="0.5",model="maker/small",connection="OpenAI"} 1',
    ]),
  );
});

it('has series of 50 models, and one for all others', async () => {
  const series = await seriesAfter((metrics) => {
    for (let at = 0; at < 60; at += 1) metrics.ended(NOTHING, { modelId: `model-${at}`, connection: 'OpenAI' });
    metrics.ended(NOTHING, { modelId: 'model-3', connection: 'OpenAI' });
  });
  const requests = series.filter((line) => line.startsWith('tanya_model_requests_total'));
  expect(requests).toHaveLength(51);
  expect(requests).toContain('tanya_model_requests_total{model="model-3",connection="OpenAI"} 2');
  expect(requests).toContain('tanya_model_requests_total{model="other",connection="OpenAI"} 10');
});

it('keeps hostile names in their quotes', async () => {
  const modelId = 'a"}\n\\evil 1';
  const series = await seriesAfter((metrics) => metrics.ended(NOTHING, { modelId, connection: undefined }));
  expect(series).toContain('tanya_model_requests_total{model="a\\"}\\n\\\\evil 1",connection="none"} 1');
});
