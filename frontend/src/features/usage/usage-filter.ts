import { USAGE_CHANNELS, USAGE_PLANS, type UsageFilter } from '@tanya/contract';

const ID = /^[1-9]\d{0,9}$/;

/** The filter in the search part of an address; what is not valid narrows nothing. */
export function filterOf(search: Record<string, unknown>): UsageFilter {
  const text = (name: string): string => {
    const value = search[name];
    return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  };
  const id = (name: string) => (ID.test(text(name)) ? Number(text(name)) : undefined);
  const { plan, channel } = search;
  return {
    userId: id('userId'),
    keyId: id('keyId'),
    connectionId: id('connectionId'),
    modelId: text('modelId') || undefined,
    plan: USAGE_PLANS.find((name) => name === plan),
    channel: USAGE_CHANNELS.find((name) => name === channel),
  };
}

/** The parts of a filter that narrow. */
export const filterParts = (filter: UsageFilter): [name: keyof UsageFilter, value: string][] =>
  Object.entries(filter).flatMap(([name, value]) =>
    value === undefined ? [] : [[name as keyof UsageFilter, String(value)]],
  );
