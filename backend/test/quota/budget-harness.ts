import type { Budget, UpdateSettingsRequest, UpdateUserRequest } from '@tanya/contract';
import type { TestApp } from '../harness/test-app.js';

/** A fee alone, so that a hold equals the cost of its answer. */
export const FEE = { prompt: '0', completion: '0', request: '0.01' };

export async function changeSettings(server: TestApp, changes: UpdateSettingsRequest): Promise<void> {
  const answer = await (await server.admin()).patch('/api/admin/general-settings', changes);
  expect([answer.status, answer.text]).toEqual([200, expect.anything()]);
}

export async function changeUser(server: TestApp, id: number, changes: UpdateUserRequest): Promise<void> {
  const answer = await (await server.admin()).patch(`/api/admin/users/${id}`, changes);
  expect([answer.status, answer.text]).toEqual([200, expect.anything()]);
}

/** Removes every budget of the settings. */
export const withoutBudgets = (server: TestApp): Promise<void> =>
  changeSettings(server, { freeUserBudgetUsd: null, premiumUserBudgetUsd: null, installationBudgetUsd: null });

/** USD charged and held in a scope, over all periods and slots. */
export async function moneyIn({ dataSource }: TestApp, scope: string): Promise<Pick<Budget, 'spentUsd' | 'heldUsd'>> {
  const [row] = await dataSource.query<[Pick<Budget, 'spentUsd' | 'heldUsd'>]>(
    `select trim_scale(coalesce(sum(charged), 0))::text as "spentUsd", trim_scale(coalesce(sum(held), 0))::text as "heldUsd"
     from budget_account where scope = $1`,
    [scope],
  );
  return row;
}
