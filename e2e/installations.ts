import type { APIRequest, APIRequestContext } from '@playwright/test';
import { MailServer } from '../backend/test/harness/servers/mail-server.js';
import { startUpstream, type ScriptedUpstream } from '../backend/test/harness/scripted-upstream.js';
import { preparedData } from './prepared-data.js';
import { Product } from './product.js';

export interface InstallationOptions {
  /** The provider: the built-in demo, or the scripted upstream. */
  provider: 'demo' | 'upstream';
  /** Files with the same name share a server. A file that changes global state needs a name of its own. */
  installation: string;
  /** Whether the server sends mail, to a mail server of its own. */
  sendsMail: boolean;
}

/** A running server, its scripted provider, its mail server, and an API client of its administrator to prepare data. */
export interface Installation {
  upstream: ScriptedUpstream;
  /** null where the server sends no mail. */
  mail: MailServer | null;
  product: Product;
  administrator: APIRequestContext;
}

interface Running extends Installation {
  isShared: boolean;
}

/** The name of the installation that files share by default. */
export const SHARED = 'shared';

/**
 * The servers that a worker of Playwright started. A worker serves many files, because its start and the start of a browser
 * take two seconds. The shared servers run until its end, the server of one file until the next file needs one.
 */
export class Installations {
  private readonly running = new Map<string, Running>();
  private readonly ends: Promise<void>[] = [];

  constructor(private readonly request: APIRequest) {}

  /** The server of these options, started for the first test that needs it. */
  async get({ provider, installation, sendsMail }: InstallationOptions): Promise<Installation> {
    const name = `${installation} with ${provider}${sendsMail ? ' and mail' : ''}`;
    const known = this.running.get(name);
    if (known) return known;
    for (const [other, { isShared }] of this.running) {
      if (!isShared) this.end(other);
    }
    const started = { ...(await this.start(provider, sendsMail)), isShared: installation === SHARED };
    this.running.set(name, started);
    return started;
  }

  async close(): Promise<void> {
    for (const name of this.running.keys()) this.end(name);
    await Promise.all(this.ends);
  }

  private async start(provider: InstallationOptions['provider'], sendsMail: boolean): Promise<Installation> {
    // The server asks for conversation ideas once a page is open, which must not take a journey's scripted answer.
    const noIdeas = { steps: [{ finish: 'stop' as const }, { done: true as const }] };
    const choose = (text: string) => (text.startsWith('Write 12 varied ideas') ? noIdeas : undefined);
    const upstream = await startUpstream({ pace: 5, choose });
    const scripted = { OPENAI_BASE_URL: upstream.url, OPENROUTER_BASE_URL: upstream.url };
    const mail = sendsMail ? await MailServer.start() : null;
    const product = await Product.start(preparedData(), {
      ...(provider === 'upstream' && scripted),
      ...(mail && { SMTP_URL: mail.url, SMTP_FROM: 'Tanya <tanya@example.org>' }),
    });
    const administrator = await this.request.newContext({ baseURL: product.url });
    const login = await administrator.post('/api/login', { data: product.admin });
    if (!login.ok()) throw new Error(`The administrator cannot log in: ${login.status()}`);
    // So does a title.
    await administrator.patch('/api/admin/general-settings', { data: { generatedTitles: false } });
    return { upstream, mail, product, administrator };
  }

  /** Does not wait: the next server starts meanwhile. */
  private end(name: string): void {
    const { upstream, mail, product, administrator } = this.running.get(name)!;
    this.running.delete(name);
    const stop = async (): Promise<void> => {
      await administrator.dispose();
      await product.stop();
      await upstream.close();
      await mail?.close();
    };
    this.ends.push(stop());
  }
}
