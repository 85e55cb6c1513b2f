import type { Transporter } from 'nodemailer';
import { withTimeout } from '../resilience/with-timeout.js';

export interface Mail {
  to: string;
  subject: string;
  text: string;
  html?: string;
}

/** Timeout of one mail from the connection to the confirmation, ms. */
const MAIL_TIMEOUT_MS = 45_000;

/** Timeouts of a connection, ms. They end a connection that `MAIL_TIMEOUT_MS` has given up. */
const CONNECTION = { dnsTimeout: 10_000, connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };

/** Failures before the first command with an address; their messages name the server alone. */
const CONNECTION_FAILURES = new Set(['ECONNECTION', 'EDNS', 'ESOCKET', 'ETIMEDOUT', 'ETLS']);

interface MailFailure {
  code?: string;
  message?: string;
  /** SMTP command that failed. */
  command?: string;
  /** SMTP status of the server's answer. */
  responseCode?: number;
}

/** Commands that concern one mail. A refused login or sender concerns all, until the operator mends it. */
const COMMANDS_OF_MAIL = new Set(['RCPT TO', 'DATA']);

/** Codes of failures of the server's own, whose class is that of a refusal: it wants a login or TLS, or is not in service. */
const OF_SERVER: readonly number[] = [503, 530, 538];

/** A mail that was not confirmed. The message is safe to log: it never contains an address of a recipient. */
export class MailError extends Error {
  /** Whether the server refused the mail for good. */
  readonly isFinal: boolean;

  constructor({ code = 'unknown error', message, command = '', responseCode = 0 }: MailFailure) {
    const detail = CONNECTION_FAILURES.has(code) ? message : responseCode;
    super(detail ? `${code}: ${detail}` : code);
    this.isFinal = responseCode >= 500 && !OF_SERVER.includes(responseCode) && COMMANDS_OF_MAIL.has(command);
  }
}

/**
 * Sends mail over SMTP by nodemailer: maintained, no dependencies, encodes headers and MIME. It is loaded with the first
 * mail. Each mail has a connection of its own.
 */
export class Mailer {
  private transport: Promise<Transporter> | undefined;

  constructor(private readonly smtp: { url: string; from: string } | null) {}

  /** False without SMTP_URL. */
  get isEnabled(): boolean {
    return this.smtp !== null;
  }

  /** Sends a mail. @throws MailError when the server does not confirm it in time */
  async send({ to, ...content }: Mail): Promise<void> {
    if (this.smtp === null) throw new Error('SMTP_URL is not set');
    const { url, from } = this.smtp;
    this.transport ??= import('nodemailer').then(({ createTransport }) => createTransport({ url, ...CONNECTION }));
    const transport = await this.transport;
    // An object is one address; text would be parsed as a list of addresses.
    const message = {
      ...content,
      from,
      to: { name: '', address: to },
      headers: { 'Auto-Submitted': 'auto-generated' },
    };
    const sending = transport.sendMail({ ...message, disableFileAccess: true, disableUrlAccess: true });
    const confirmation = await withTimeout(MAIL_TIMEOUT_MS, sending).catch((error: MailFailure) => {
      throw new MailError(error);
    });
    if (confirmation === undefined) throw new MailError({ code: 'ETIMEDOUT', message: 'no confirmation in time' });
  }
}
