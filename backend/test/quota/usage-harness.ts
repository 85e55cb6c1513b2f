import { type AdminModel, DEFAULT_MODEL_ID, type ModelPricing } from '@tanya/contract';
import type { Script, Step } from '../harness/scripted-answers.js';
import type { TestApp } from '../harness/test-app.js';

/** The columns of a usage record that describe its cost. */
export interface CostRow {
  state: string;
  reason: string | null;
  cost_usd: string | null;
  cost_source: string | null;
  prompt_tokens: number | null;
  completion_tokens: number | null;
  cached_tokens: number | null;
  reasoning_tokens: number | null;
  answering_model: string | null;
  first_token_ms: number | null;
  held_usd: string | null;
  total_ms: number | null;
  plan: string | null;
  channel: string | null;
}

/** The newest record of an owner. */
export async function lastRecord({ dataSource }: TestApp, owner: string): Promise<CostRow> {
  const [row] = await dataSource.query<[CostRow]>(
    `select *, trim_scale(cost_usd)::text as cost_usd from usage_record where owner = $1 order by id desc limit 1`,
    [owner],
  );
  return row;
}

/** Sets the prices of a model, the default one without another; null makes them unknown. */
export async function setPrices(
  server: TestApp,
  pricing: ModelPricing | null,
  modelId = DEFAULT_MODEL_ID,
): Promise<void> {
  const admin = await server.admin();
  const { body: models } = await admin.get<AdminModel[]>('/api/admin/models');
  const { id } = models.find((model) => model.modelId === modelId)!;
  expect((await admin.patch(`/api/admin/models/${id}`, { pricing })).status).toBe(200);
}

/** An answer whose last chunk has this usage. */
export const answerWith = (usage: object | null, text = 'An answer.'): Script => ({
  steps: [
    { text },
    { finish: 'stop' },
    ...(usage === null ? [] : [{ chunk: { model: 'maker/model-2026', choices: [], usage } } satisfies Step]),
    { done: true },
  ],
});
