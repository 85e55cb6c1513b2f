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

/** Characters that they have together. Node refuses every request with more than 16 KiB of headers. */
const MAX_LENGTH = 8_000;

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
    const text = JSON.stringify({ ...value, endsAt: Date.now() + SIGN_IN_SECONDS * 1000 });
    const sealed = this.secrets.seal(text, cellOf(name));
    let length = sealed.length;
    for (const [at, [old, value]] of this.begun(request).toReversed().entries()) {
      length += value.length;
      if (at >= MOST - 1 || length > MAX_LENGTH) response.clearCookie(old, cookieAttributes(this.env));
    }
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

  /** Names and values, the oldest first. */
  private begun(request: Request): [string, string][] {
    const prefix = this.nameOf('');
    const cookies = Object.entries(parseCookie(request.headers.cookie ?? ''));
    return cookies.flatMap(([name, value = '']) => (name.startsWith(prefix) ? [[name, value]] : []));
  }
}

const cellOf = (name: string): Cell => ({ table: 'cookie', column: 'oidc', row: name });
