import { Inject, Injectable } from '@nestjs/common';
import { parseCookie } from 'cookie';
import type { Request, Response } from 'express';
import { ENV, type Env } from '../config/env.js';
import { SecretBox } from '../platform/secrets/secret-box.js';
import { cookieAttributes, cookieName } from '../platform/session/session.js';

/** As long as browsers keep a cookie at most. */
const LIFETIME_MS = 400 * 24 * 60 * 60 * 1000;

/** Accounts that one browser is known for; the ones that signed in last. */
const MOST = 10;

const SIGNATURE = /^[\w-]{43}$/;

/**
 * Which accounts have signed in with a browser, in a cookie of signatures: the server stores nothing, and the cookie tells
 * nobody which accounts they are.
 */
@Injectable()
export class KnownBrowsers {
  private readonly name: string;
  private readonly attributes: ReturnType<typeof cookieAttributes> & { maxAge: number };

  constructor(
    @Inject(ENV) env: Env,
    private readonly secrets: SecretBox,
  ) {
    this.name = cookieName(env, 'tanya.known');
    this.attributes = { ...cookieAttributes(env), maxAge: LIFETIME_MS };
  }

  /** Notes that an account signed in with this browser. @returns whether it had done so before */
  note(request: Request, response: Response, userId: number): boolean {
    const text = `browser.${userId}`;
    const cookie = parseCookie(request.headers.cookie ?? '')[this.name] ?? '';
    // A request has room for thousands of pieces, each of which costs keys.
    const known = cookie.split('.', MOST).filter((piece) => SIGNATURE.test(piece));
    const others = known.filter((signature) => !this.secrets.verify(text, signature));
    const kept = [this.secrets.sign(text), ...others].slice(0, MOST);
    response.cookie(this.name, kept.join('.'), this.attributes);
    return others.length < known.length;
  }
}
