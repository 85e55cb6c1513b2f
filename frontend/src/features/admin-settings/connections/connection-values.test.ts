import type { ProviderConnection } from '@tanya/contract';
import { CONNECTION_RULES, toTestRequest, toUpdateRequest, toConnectionValues } from './connection-values';

const saved = {
  id: 4,
  kind: 'compatible',
  name: 'Ollama',
  baseUrl: 'http://localhost:11434/v1',
  apiKey: '••••••••abcd',
  keySource: 'settings',
} as ProviderConnection;

const values = toConnectionValues(saved);

describe('an update of a connection', () => {
  it('sends the changed fields alone', () => {
    expect(toUpdateRequest({ ...values, name: ' Own server ' }, values)).toEqual({ name: 'Own server' });
    expect(toUpdateRequest({ ...values, apiKey: '' }, values)).toEqual({ apiKey: '' });
  });
});

describe('a test of a connection', () => {
  it('leaves the stored key to the server', () => {
    expect(toTestRequest(values, saved)).toEqual({ id: 4 });
    expect(toTestRequest({ ...values, apiKey: 'sk-new' }, saved)).toEqual({ id: 4, apiKey: 'sk-new' });
  });

  it('sends all fields of a connection that is not saved', () => {
    const fresh = { ...toConnectionValues(null), baseUrl: ' http://host/v1 ', apiKey: 'sk-new' };
    expect(toTestRequest(fresh, null)).toEqual({ kind: 'compatible', baseUrl: 'http://host/v1', apiKey: 'sk-new' });
  });
});

it('does not show the key of the environment as a value of the form', () => {
  expect(toConnectionValues({ ...saved, keySource: 'environment' }).apiKey).toBe('');
});

it('requires a base URL for a compatible server alone', () => {
  expect(CONNECTION_RULES.baseUrl('', { ...values, kind: 'openai' })).toBe(true);
  expect(CONNECTION_RULES.baseUrl('', values)).toBe('Please enter the base URL.');
  expect(CONNECTION_RULES.baseUrl('localhost:11434', values)).toMatch(/^Enter an address/);
});
