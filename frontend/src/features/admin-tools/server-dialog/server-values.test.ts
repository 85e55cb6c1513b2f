import type { AccessRule, ToolServer } from '@tanya/contract';
import { loadTexts } from '../../../app/i18n/load-texts';
import { newRow, SERVER_RULES, toCreateRequest, toUpdateRequest, toServerValues } from './server-values';

beforeAll(() => loadTexts('admin'));

const server: ToolServer = {
  id: 4,
  name: 'Docs',
  url: 'https://mcp.example/mcp',
  plans: ['free', 'premium'],
  access: 'everyone',
  groupIds: [],
  headerNames: ['Authorization', 'X-Team'],
  areHeadersUnreadable: false,
  tools: [],
  leftOut: 0,
  leftOutTools: [],
  lastError: null,
  lastSuccess: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
};

const header = (name: string, value: string) => ({ ...newRow(name), value });

const rule: AccessRule = { access: 'groups', groupIds: [3] };

test('adds a server without empty rows', () => {
  const headers = [header(' Authorization ', 'Bearer x'), newRow()];
  expect(toCreateRequest({ name: ' Docs ', url: ' https://a/mcp ', headers, plans: ['free'], rule })).toEqual({
    name: 'Docs',
    url: 'https://a/mcp',
    headers: { Authorization: 'Bearer x' },
    plans: ['free'],
    ...rule,
  });
});

test('sends the changed fields alone', () => {
  const values = toServerValues(server);
  expect(toUpdateRequest(values, server)).toEqual({});
  expect(toUpdateRequest({ ...values, name: 'Handbook' }, server)).toEqual({ name: 'Handbook' });
  expect(toUpdateRequest({ ...values, plans: [] }, server)).toEqual({ plans: [] });
  expect(toUpdateRequest({ ...values, rule }, server)).toEqual(rule);
  expect(toUpdateRequest({ ...values, headers: [] }, server)).toEqual({ headers: {} });
  expect(toUpdateRequest({ ...values, headers: [header('X-Team', 'docs')] }, server)).toEqual({
    headers: { 'X-Team': 'docs' },
  });
});

test('keeps the stored values of headers without a new one', () => {
  const headers = [header('authorization', ''), header('X-Team', 'handbook')];
  expect(toUpdateRequest({ ...toServerValues(server), headers }, server)).toEqual({
    headers: { authorization: null, 'X-Team': 'handbook' },
  });
});

describe('headers', () => {
  const check = (...rows: ReturnType<typeof header>[]) => SERVER_RULES.headers(rows, server.headerNames);

  test('are kept when none was changed', () => {
    expect(check(...toServerValues(server).headers)).toBe(true);
    expect(check(...toServerValues(server).headers, newRow())).toBe(true);
  });

  test('need a value unless one is stored', () => {
    expect(check(header('Authorization', 'Bearer new'), header('X-Team', ''))).toBe(true);
    expect(check(header('Authorization', ''), header('X-New', ''))).toBe('Please enter the value of X-New.');
  });

  test.each([
    [header('a b', 'x')],
    [header('X-A', 'a\nb')],
    [header('', 'x')],
    [header('X-A', '1'), header('x-a', '2')],
  ])('are refused with a name or value that cannot be sent', (...rows) => {
    expect(check(...rows)).toEqual(expect.any(String));
  });
});

test.each([
  ['', 'Please enter the address.'],
  ['npx some-server', 'Enter an address that begins with http:// or https://.'],
  ['http://localhost:3001/mcp', true],
])('checks the address %j', (url, expected) => expect(SERVER_RULES.url(url)).toBe(expected));
