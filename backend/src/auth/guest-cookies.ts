import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { parseCookie, stringifySetCookie } from 'cookie';
import { ENV, type Env } from '../config/env.js';
import { SecretBox } from '../platform/session/secret-box.js';
import { cookieAttributes } from '../platform/session/session.js';

const NAME = 'tanya.guest';

/** Seconds. */
const LIFETIME = 30 * 24 * 60 * 60;

/** The part of a response that Socket.IO's handshake has too. */
type CookieResponse = Pick<ServerResponse, 'getHeader' | 'setHeader'>;

/**
 * Who a visitor is before signing in: `uuid.issuedAt.signature` in a cookie. Nothing is stored on the server, so making
 * guests costs nothing.
 */
@Injectable()
export class GuestCookies {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly secrets: SecretBox,
  ) {}

  /** For calls, pages and the socket handshake alike: every browser gets a guest's cookie with its first answer. */
  readonly middleware = (request: IncomingMessage, response: CookieResponse, next: () => void): void => {
    request.guestId = this.read(request) ?? this.issue(response);
    next();
  };

  /** Makes the browser another guest, so that nothing of before can be told from what comes after. */
  rotate(request: IncomingMessage, response: CookieResponse): void {
    request.guestId = this.issue(response);
  }

  private read(request: IncomingMessage): string | null {
    const [id = '', issuedAt = '', signature = ''] = (parseCookie(request.headers.cookie ?? '')[NAME] ?? '').split('.');
    if (!this.secrets.verify(`guest.${id}.${issuedAt}`, signature)) return null;
    return Date.now() / 1000 - Number(issuedAt) < LIFETIME ? id : null;
  }

  private issue(response: CookieResponse): string {
    const id = randomUUID();
    const issuedAt = Math.floor(Date.now() / 1000);
    const cookie = stringifySetCookie({
      ...cookieAttributes(this.env),
      name: NAME,
      value: `${id}.${issuedAt}.${this.secrets.sign(`guest.${id}.${issuedAt}`)}`,
      maxAge: LIFETIME,
    });
    const others = [response.getHeader('Set-Cookie') ?? []].flat().filter((other) => !String(other).startsWith(NAME));
    response.setHeader('Set-Cookie', [...others.map(String), cookie]);
    return id;
  }
}
