import { jest } from '@jest/globals';
import type { ApiKey } from '@tanya/contract';
import { report } from './fake-key';
import { localDay, expiryRule, KEY_RULES, toCreateRequest, toUpdateRequest, toKeyValues } from './key-values';

const key: ApiKey = { ...report, expiresAt: '2030-05-06T07:08:09.000Z' };

it('sends null for each restriction that is blank', () => {
  expect(toCreateRequest({ ...toKeyValues(null), name: ' Report ' })).toEqual({
    name: 'Report',
    expiresAt: null,
    messageCap: null,
    budgetUsd: null,
    models: null,
  });
});

it('lets a new key expire at the end of the local day', () => {
  const { expiresAt } = toCreateRequest({ ...toKeyValues(null), name: 'a', expiresAt: '2030-02-03' });
  const end = new Date(String(expiresAt));
  expect(localDay(end)).toBe('2030-02-03');
  expect([end.getHours(), end.getMinutes()]).toEqual([23, 59]);
});

it('sends only the changed fields, so an unchanged expiry keeps its time of day', () => {
  const stored = toKeyValues(key);
  expect(toUpdateRequest(stored, stored)).toEqual({});
  expect(toUpdateRequest({ ...stored, name: 'Report', messageCap: '' }, stored)).toEqual({
    name: 'Report',
    messageCap: null,
  });
  expect(toUpdateRequest({ ...stored, budgetUsd: ' 2.50 ' }, stored)).toEqual({ budgetUsd: '2.50' });
  expect(toUpdateRequest({ ...stored, allModels: true }, stored)).toEqual({ models: null });
});

it('refuses a blank name, a limit that is not a whole number, and a restriction to no model', () => {
  expect(KEY_RULES.name('  ')).toBe('Please enter a name.');
  for (const text of ['0', '1.5', 'many', '1e3', '1000000001']) {
    expect(KEY_RULES.messageCap(text)).toContain('A whole number');
  }
  expect(KEY_RULES.messageCap(' 20 ')).toBe(true);
  const values = { ...toKeyValues(null), allModels: false };
  expect(KEY_RULES.models([], values)).toContain('at least one model');
  expect(KEY_RULES.models(['a'], values)).toBe(true);
  expect(
    KEY_RULES.models(
      Array.from({ length: 101 }, (_, index) => String(index)),
      values,
    ),
  ).toContain('at most 100');
});

it('refuses a day in the past, except the stored one', () => {
  expect(expiryRule('')('2020-01-01')).toContain('today or a later day');
  expect(expiryRule('2020-01-01')('2020-01-01')).toBe(true);
  jest.useFakeTimers({ now: new Date(2026, 10, 20, 12) });
  expect(expiryRule('')(localDay(new Date()))).toBe(true);
  jest.useRealTimers();
});
