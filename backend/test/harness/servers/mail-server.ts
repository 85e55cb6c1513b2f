import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { waitUntil } from '../wait-until.js';

export interface ReceivedMail {
  /** Address of the envelope. */
  to: string[];
  /** Header lines, unfolded. */
  headers: string[];
  text: string;
  html: string;
}

/** How the server treats a mail: accepts it, refuses it, or does not answer until `resume`. */
export type MailBehaviour = 'accept' | 'refuse' | 'hang';

/** SMTP server on loopback that records the mails it accepts. */
export class MailServer {
  readonly mails: ReceivedMail[] = [];
  /** Number of connections so far. */
  connections = 0;
  behaviour: MailBehaviour = 'accept';
  /** Number of the next mails to an address that are refused. */
  readonly refusals = new Map<string, number>();
  /** Greetings of the connections that hang. */
  private greetings: (() => void)[] = [];

  private readonly server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    onConnect: (_session, done) => {
      this.connections += 1;
      if (this.behaviour === 'hang') this.greetings.push(done);
      else done();
    },
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const to = session.envelope.rcptTo.map(({ address }) => address);
        const isRefused = to.some((address) => this.countRefusal(address)) || this.behaviour === 'refuse';
        if (isRefused) return done(new Error('mailbox unavailable'));
        this.mails.push({ to, ...parse(Buffer.concat(chunks).toString()) });
        done();
      });
    },
  });

  private constructor() {}

  private countRefusal(address: string): boolean {
    const left = this.refusals.get(address) ?? 0;
    if (left > 0) this.refusals.set(address, left - 1);
    return left > 0;
  }

  /** @param port a free one by default */
  static async start(port = 0): Promise<MailServer> {
    const mail = new MailServer();
    mail.server.on('error', () => undefined);
    await new Promise<void>((resolve) => mail.server.listen(port, '127.0.0.1', resolve));
    return mail;
  }

  get url(): string {
    return `smtp://127.0.0.1:${(this.server.server.address() as AddressInfo).port}`;
  }

  /** The environment of an app that mails through this server. */
  get smtp(): { url: string; from: string } {
    return { url: this.url, from: 'Tanya <tanya@example.org>' };
  }

  /** Waits for the mail number `count` to this address. */
  async mailTo(address: string, count = 1): Promise<ReceivedMail> {
    const received = () => this.mails.filter(({ to }) => to.includes(address));
    await waitUntil(`mail ${count} to ${address}`, () => received().length >= count);
    return received()[count - 1]!;
  }

  /** Accepts mails again, those of the connections that hang too. */
  resume(): void {
    this.behaviour = 'accept';
    for (const greet of this.greetings.splice(0)) greet();
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }
}

function parse(raw: string): Omit<ReceivedMail, 'to'> {
  const [head, body] = split(raw);
  const boundary = /boundary="?([^";\r\n]+)/.exec(head)?.[1];
  const parts = boundary === undefined ? [] : body.split(`--${boundary}`).map(split);
  const part = (type: string): string => {
    const [partHead = '', content = ''] = parts.find(([candidate]) => candidate.includes(type)) ?? [];
    return decode(partHead, content);
  };
  const text = boundary === undefined ? decode(head, body) : part('text/plain');
  return { headers: head.replace(/\r\n[ \t]+/g, ' ').split('\r\n'), text, html: part('text/html') };
}

function split(raw: string): [head: string, body: string] {
  const end = raw.indexOf('\r\n\r\n');
  return [raw.slice(0, end).trim(), raw.slice(end + 4)];
}

function decode(head: string, content: string): string {
  if (/base64/i.test(head)) return Buffer.from(content, 'base64').toString();
  if (!/quoted-printable/i.test(head)) return content;
  const bytes = content.replace(/=\r\n/g, '').replace(/=([0-9A-F]{2})/g, (_, hex: string) => `%${hex}`);
  return decodeURIComponent(bytes.replace(/%(?![0-9A-F]{2})/g, '%25'));
}
