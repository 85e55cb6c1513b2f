import { HttpClient } from '../../harness/http-client.js';
import { onThisMachine } from '../pace.js';

/** Timeout of a request, after which it is retried, ms. */
const REQUEST_TIMEOUT_MS = 5_000;

interface Account {
  username: string;
  password: string;
}

/** A user with a browser: a member that signs in again when its session is lost, or a guest. */
export class TestUser {
  readonly browser: HttpClient;
  /** Owners of this browser before it signed in. */
  readonly formerOwners: string[] = [];
  isSignedOut = false;
  private signingIn: Promise<void> | null = null;

  constructor(
    readonly url: string,
    readonly address: string,
    /** null for a guest. */
    private account: Account | null,
    /** null for a guest, who has one once the cookie is there. */
    private userId: number | null,
  ) {
    this.browser = new HttpClient(url, address);
  }

  get name(): string {
    return this.account?.username ?? 'a guest';
  }

  get cookies(): string {
    return this.browser.cookieHeader;
  }

  /** Owner of this user's data. */
  get owner(): string {
    return this.userId === null ? this.guest : `user:${this.userId}`;
  }

  /** All owners this user may have had, such as a guest while its session was lost. */
  get owners(): string[] {
    return [this.owner, this.guest, ...this.formerOwners];
  }

  private get guest(): string {
    return `guest:${(this.browser.cookies.get('tanya.guest') ?? '').split('.')[0]}`;
  }

  get id(): number | null {
    return this.userId;
  }

  /** Prevents a new login after the session ends. */
  removeCredentials(): void {
    this.account = null;
  }

  /** Registers an account, which migrates the guest's data. */
  async register(account: Account): Promise<number> {
    const before = this.owner;
    const fields = { ...account, email: `${account.username}@example.org`, phoneNumber: '0123456789' };
    const answer = await this.browser.post('/api/register', fields);
    if (answer.status >= 300) return answer.status;
    this.formerOwners.push(before);
    this.account = account;
    this.userId = (answer.body as { id: number }).id;
    return answer.status;
  }

  /** Signs in unless the session is valid. @throws while the server cannot check sessions */
  signIn(url = this.url): Promise<void> {
    this.signingIn ??= this.check(url).finally(() => (this.signingIn = null));
    return this.signingIn;
  }

  /** Whether the session is valid. @throws while the server cannot check sessions */
  async isStillSignedIn(url: string): Promise<boolean> {
    return this.userId === null || this.isKnown(this.browserAt(url));
  }

  private async check(url: string): Promise<void> {
    const browser = this.browserAt(url);
    if (await this.isKnown(browser)) return;
    this.isSignedOut = this.account === null && this.userId !== null;
    if (this.account === null) return;
    const login = await browser.post('/api/login', this.account);
    if (login.status !== 200) throw new Error(`login failed: ${login.status} ${login.text}`);
  }

  private async isKnown(browser: HttpClient): Promise<boolean> {
    const user = await browser.get('/api/user', { signal: AbortSignal.timeout(onThisMachine(REQUEST_TIMEOUT_MS)) });
    if (user.status >= 500 || user.status === 429) throw new Error(`session check failed: ${user.status}`);
    return user.status === 200;
  }

  private browserAt(url: string): HttpClient {
    return url === this.url ? this.browser : new HttpClient(url, this.address, this.browser.cookies);
  }
}
