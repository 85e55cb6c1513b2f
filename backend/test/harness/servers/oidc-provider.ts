import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('./oidc-provider.mjs', import.meta.url));

export interface RealProviderOptions {
  clients: Record<string, unknown>[];
  /** The claims of each person by name. */
  people: Record<string, Record<string, unknown>>;
}

export interface RealProvider {
  issuer: string;
  /** A new browser on its pages. */
  browser(): ProviderBrowser;
  stop(): Promise<void>;
}

/** Starts the real provider as a process. */
export async function startOidcProvider(port: number, options: RealProviderOptions): Promise<RealProvider> {
  const child = spawn(process.execPath, [PROGRAM, String(port), JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await once(child.stdout, 'data');
  const issuer = `http://127.0.0.1:${port}`;
  return {
    issuer,
    browser: () => new ProviderBrowser(issuer),
    stop: async () => {
      const gone = once(child, 'exit');
      child.kill();
      await gone;
    },
  };
}

/** A browser on the provider's pages: the form of its login, that of the consent, and redirects between them. */
export class ProviderBrowser {
  private readonly cookies = new Map<string, string>();

  constructor(private readonly issuer: string) {}

  /** Signs in on the provider's own pages. @returns the address that it sends the browser back to */
  async signIn(address: string, name: string): Promise<string> {
    let next = address;
    for (let step = 0; step < 12; step += 1) {
      if (!next.startsWith(this.issuer)) return next;
      next = next.includes('/interaction/') ? await this.answer(next, name) : await this.visit(next);
    }
    throw new Error(`the provider did not send the browser back from ${next}`);
  }

  async logOut(): Promise<void> {
    const page = await this.send(`${this.issuer}/session/end`);
    const xsrf = /name="xsrf" value="([^"]+)"/.exec(await page.text())![1]!;
    await this.send(`${this.issuer}/session/end/confirm`, { xsrf, logout: 'yes' });
  }

  private async answer(address: string, login: string): Promise<string> {
    const page = await (await this.send(address)).text();
    const prompt = /name="prompt" value="([^"]+)"/.exec(page)![1]!;
    const answer = await this.send(address, { prompt, login, password: 'any' });
    return new URL(answer.headers.get('location')!, this.issuer).href;
  }

  private async visit(address: string): Promise<string> {
    const answer = await this.send(address);
    const location = answer.headers.get('location');
    if (location === null) throw new Error(`${answer.status} from the provider: ${await answer.text()}`);
    return new URL(location, this.issuer).href;
  }

  private async send(address: string, form?: Record<string, string>): Promise<Response> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(address, {
      method: form ? 'POST' : 'GET',
      body: form && new URLSearchParams(form),
      redirect: 'manual',
      headers: { Cookie: cookie },
    });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return answer;
  }
}
