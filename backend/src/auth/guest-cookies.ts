import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { parseCookie, stringifySetCookie } from 'cookie';
import { ENV, type Env } from '../config/env.js';
import { SecretBox } from '../platform/secrets/secret-box.js';
import { cookieAttributes, guestCookieName } from '../platform/session/session.js';

const LIFETIME_SECONDS = 30 * 24 * 60 * 60;

/** The part of a response that the Socket.IO handshake provides as well. */
type CookieResponse = Pick<ServerResponse, 'getHeader' | 'setHeader'>;

/**
 * The identity of a guest: `uuid.issuedAt.signature` in a cookie. The server stores nothing until the first message.
 */
@Injectable()
export class GuestCookies {
  private readonly name: string;

  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly secrets: SecretBox,
  ) {
    this.name = guestCookieName(env);
  }

  /** Sets `request.guestId` for API calls, pages and socket handshakes; issues a cookie where none is valid. */
  readonly middleware = (request: IncomingMessage, response: CookieResponse, next: () => void): void => {
    request.guestId = this.read(request) ?? this.issue(response);
    next();
  };

  /** Issues a new guest id, so that the guests before and after a session cannot be linked. */
  rotate(request: IncomingMessage, response: CookieResponse): void {
    request.guestId = this.issue(response);
  }

  private read(request: IncomingMessage): string | null {
    const cookie = parseCookie(request.headers.cookie ?? '')[this.name] ?? '';
    const [id = '', issuedAt = '', signature = ''] = cookie.split('.');
    if (!this.secrets.verify(`guest.${id}.${issuedAt}`, signature)) return null;
    return Date.now() / 1000 - Number(issuedAt) < LIFETIME_SECONDS ? id : null;
  }

  private issue(response: CookieResponse): string {
    const id = randomUUID();
    const issuedAt = Math.floor(Date.now() / 1000);
    const cookie = stringifySetCookie({
      ...cookieAttributes(this.env),
      name: this.name,
      value: `${id}.${issuedAt}.${this.secrets.sign(`guest.${id}.${issuedAt}`)}`,
      maxAge: LIFETIME_SECONDS,
    });
    const others = [response.getHeader('Set-Cookie') ?? []].flat().map(String);
    response.setHeader('Set-Cookie', [...others.filter((other) => !other.startsWith(`${this.name}=`)), cookie]);
    return id;
  }
}
