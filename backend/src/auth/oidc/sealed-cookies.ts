import { Inject, Injectable } from '@nestjs/common';
import { parseCookie } from 'cookie';
import type { Request, Response } from 'express';
import { ENV, type Env } from '../../config/env.js';
import { type Cell, SecretBox } from '../../platform/secrets/secret-box.js';
import { cookieAttributes, cookieName } from '../../platform/session/session.js';

/** How long a sign-in may take, seconds. */
export const SIGN_IN_SECONDS = 10 * 60;

const PREFIX = 'tanya.oidc-';

/** Sign-ins that one browser has begun at once, in several tabs. */
const MOST = 4;

/**
 * The state of a sign-in, in a cookie that only this server can read: any node continues it, also without Redis, and no other
 * browser.
 */
@Injectable()
export class SealedCookies {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly secrets: SecretBox,
  ) {}

  /** @param name of the sign-in, or `complete` for the step that asks for a code */
  write(request: Request, response: Response, name: string, value: object): void {
    const begun = this.namesIn(request);
    for (const old of begun.slice(0, Math.max(0, begun.length - MOST + 1)))
      response.clearCookie(old, cookieAttributes(this.env));
    const text = JSON.stringify({ ...value, endsAt: Date.now() + SIGN_IN_SECONDS * 1000 });
    const sealed = this.secrets.seal(text, cellOf(name));
    response.cookie(this.nameOf(name), sealed, { ...cookieAttributes(this.env), maxAge: SIGN_IN_SECONDS * 1000 });
  }

  /** @returns null for one that is missing, expired or of another name */
  read<T extends object>(request: Request, name: string): T | null {
    const sealed = parseCookie(request.headers.cookie ?? '')[this.nameOf(name)];
    const text = sealed === undefined ? null : this.secrets.open(sealed, cellOf(name));
    if (text === null) return null;
    const value = JSON.parse(text) as T & { endsAt: number };
    return value.endsAt > Date.now() ? value : null;
  }

  clear(response: Response, name: string): void {
    response.clearCookie(this.nameOf(name), cookieAttributes(this.env));
  }

  private nameOf(name: string): string {
    return cookieName(this.env, PREFIX + name);
  }

  private namesIn(request: Request): string[] {
    const prefix = this.nameOf('');
    return Object.keys(parseCookie(request.headers.cookie ?? '')).filter((name) => name.startsWith(prefix));
  }
}

const cellOf = (name: string): Cell => ({ table: 'cookie', column: 'oidc', row: name });
