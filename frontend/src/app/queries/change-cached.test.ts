import type { ProviderConnection } from '@tanya/contract';
import { changeCached } from './change-cached';
import { connectionsQuery } from './connections.query';
import { queryClient } from './query-client';

const { queryKey } = connectionsQuery;
const connection = (id: number, enabled: boolean) => ({ id, enabled }) as ProviderConnection;
const switchOff = (wanted: number) =>
  changeCached(queryKey, (all) => all.map((each) => (each.id === wanted ? { ...each, enabled: false } : each)));
const shown = () => queryClient.getQueryData(queryKey)?.map(({ enabled }) => enabled);

beforeEach(() => {
  queryClient.clear();
  queryClient.setQueryData(queryKey, [connection(1, true), connection(2, true)]);
});

it('shows a change at once and reverts it', () => {
  const revert = switchOff(1);
  expect(shown()).toEqual([false, true]);
  revert();
  expect(shown()).toEqual([true, true]);
});

it('keeps newer data and reads it again', () => {
  const revert = switchOff(1);
  queryClient.setQueryData(queryKey, [connection(1, true), connection(2, false)]);
  revert();
  expect(shown()).toEqual([true, false]);
  expect(queryClient.getQueryState(queryKey)?.isInvalidated).toBe(true);
});

it('reverts one of two changes by reading the data again', () => {
  const revert = switchOff(1);
  switchOff(2);
  revert();
  expect(shown()).toEqual([false, false]);
  expect(queryClient.getQueryState(queryKey)?.isInvalidated).toBe(true);
});
