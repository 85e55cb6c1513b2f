import type { Owner } from '../../src/identity/identity.js';
import { Bus } from '../../src/platform/bus/bus.js';
import { AccountLifecycleHooks } from '../../src/identity/account-lifecycle-hooks.js';
import type { HttpClient } from '../harness/http-client.js';
import { PASSWORD, startTestApp, type TestApp } from '../harness/test-app.js';
import { ownerAdopted } from '../../src/identity/identity-topics.js';

let server: TestApp;
let moved: { from: Owner; to: Owner }[] = [];
let announced: { from: Owner; to: Owner }[] = [];
let refuse = false;

beforeAll(async () => {
  server = await startTestApp();
  server.app.get(AccountLifecycleHooks).onGuestMigration(async (manager, from, to) => {
    expect(manager.queryRunner?.isTransactionActive).toBe(true);
    if (refuse) throw new Error('the migration failed');
    moved.push({ from, to });
  });
  server.app.get(Bus).subscribe(ownerAdopted, (adoption) => void announced.push(adoption));
});

beforeEach(() => {
  moved = [];
  announced = [];
  refuse = false;
});

afterAll(async () => {
  await server.close();
});

const guestOf = (browser: HttpClient): Owner => `guest:${browser.cookies.get('tanya.guest')!.split('.')[0]}`;

describe('the data of a guest', () => {
  it('moves into a new account', async () => {
    const browser = await server.guest();
    const from = guestOf(browser);
    const { body } = await browser.post<{ id: number }>('/api/register', { username: 'moving-in', password: PASSWORD });
    expect(moved).toEqual([{ from, to: `user:${body.id}` }]);
    expect(announced).toEqual(moved);
    expect(guestOf(browser)).not.toBe(from);
  });

  it('moves into an account at login', async () => {
    const { user, username } = await server.member();
    moved = [];
    announced = [];
    const browser = await server.guest();
    const from = guestOf(browser);
    await browser.post('/api/login', { username, password: PASSWORD });
    expect(moved).toEqual([{ from, to: `user:${user.id}` }]);
    expect(announced).toEqual(moved);
  });

  it('stays when the migration fails, and no account is created', async () => {
    refuse = true;
    const browser = await server.guest();
    const from = guestOf(browser);
    expect((await browser.post('/api/register', { username: 'not-moving', password: PASSWORD })).status).toBe(500);
    expect(guestOf(browser)).toBe(from);
    expect(announced).toEqual([]);
    refuse = false;
    expect((await browser.post('/api/register', { username: 'not-moving', password: PASSWORD })).status).toBe(201);
  });

  it('stays after a failed login', async () => {
    const browser = await server.guest();
    const from = guestOf(browser);
    await browser.post('/api/login', { username: 'admin', password: 'not this one' });
    expect(guestOf(browser)).toBe(from);
    expect(moved).toEqual([]);
  });
});
