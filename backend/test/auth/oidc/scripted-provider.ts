import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import type { IdentityProvider } from '@tanya/contract';
import type { Answer, HttpClient } from '../../harness/http-client.js';
import type { TestApp } from '../../harness/test-app.js';

export const CLIENT = { clientId: 'tanya', clientSecret: 'a secret of the provider' };

interface Key {
  kid: string;
  privateKey: Awaited<ReturnType<typeof generateKeyPair>>['privateKey'];
  jwk: JWK;
}

async function newKey(kid: string): Promise<Key> {
  const { privateKey, publicKey } = await generateKeyPair('RS256');
  return { kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' } };
}

/** What an authorisation asked for. */
export interface Asked {
  state: string;
  nonce: string;
  redirectUri: string;
  query: URLSearchParams;
}

/** A provider whose every answer a test can spoil. People sign in there without a page: `signIn` does it. */
export class ScriptedProvider {
  keys: Key[] = [];
  /** Replaces fields of the discovery document. */
  document: Record<string, unknown> = {};
  /** Changes the claims of the next ID tokens. */
  claims: JWTPayload = {};
  /** Makes the token itself, in place of one with the claims. */
  token: ((claims: JWTPayload) => Promise<string> | string) | null = null;
  isDown = false;
  readonly requests: { path: string; authorization: string | undefined; body: URLSearchParams }[] = [];
  private nonces = new Map<string, string>();

  private constructor(
    private readonly server: Server,
    readonly issuer: string,
  ) {}

  static async start(): Promise<ScriptedProvider> {
    let handle: ((request: IncomingMessage, response: ServerResponse) => void) | null = null;
    const server = createServer((request, response) => handle!(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const provider = new ScriptedProvider(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    provider.keys = [await newKey('one')];
    handle = (request, response) => void provider.answer(request, response);
    return provider;
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.server.close(() => resolve());
      this.server.closeAllConnections();
    });
  }

  /** Replaces the signing key, as a rotation does. */
  async rotate(kid: string): Promise<void> {
    this.keys = [await newKey(kid)];
  }

  async sign(claims: JWTPayload, header: Record<string, unknown> = {}): Promise<string> {
    const { kid, privateKey } = this.keys[0]!;
    return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid, ...header }).sign(privateKey);
  }

  unsigned(claims: JWTPayload): string {
    return new UnsecuredJWT(claims).encode();
  }

  /** The token of a logout that the provider reports. */
  logoutToken(claims: JWTPayload): Promise<string> {
    const now = Math.floor(Date.now() / 1000);
    const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
    const base = { iss: this.issuer, aud: CLIENT.clientId, iat: now, exp: now + 120, jti: crypto.randomUUID(), events };
    return this.sign({ ...base, ...claims }, { typ: 'logout+jwt' });
  }

  /** Signs in at the provider: the answer of the callback. @param claims of the person, with the `sub` */
  async signIn(client: HttpClient, provider: { id: number }, claims: JWTPayload, query = ''): Promise<Answer<unknown>> {
    const asked = await begin(client, provider, query);
    return this.finish(client, asked, claims);
  }

  finish(client: HttpClient, asked: Asked, claims: JWTPayload): Promise<Answer<unknown>> {
    const code = crypto.randomUUID();
    this.nonces.set(code, asked.nonce);
    this.claims = claims;
    return client.get(
      `${new URL(asked.redirectUri).pathname}?${new URLSearchParams({ code, state: asked.state }).toString()}`,
    );
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url!, this.issuer);
    const body = new URLSearchParams(await text(request));
    this.requests.push({ path: pathname, authorization: request.headers.authorization, body });
    const json = (value: unknown, status = 200) =>
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
    if (this.isDown) return void response.destroy();
    if (pathname === '/.well-known/openid-configuration') return void json(this.discovery());
    if (pathname === '/jwks') return void json({ keys: this.keys.map(({ jwk }) => jwk) });
    if (pathname !== '/token') return void json({}, 404);
    const now = Math.floor(Date.now() / 1000);
    const nonce = this.nonces.get(body.get('code')!)!;
    const claims = { iss: this.issuer, aud: CLIENT.clientId, iat: now, exp: now + 300, nonce, ...this.claims };
    const token = this.token === null ? await this.sign(claims) : await this.token(claims);
    json({ access_token: 'access', token_type: 'Bearer', id_token: token });
  }

  private discovery(): Record<string, unknown> {
    return {
      issuer: this.issuer,
      authorization_endpoint: `${this.issuer}/authorize`,
      token_endpoint: `${this.issuer}/token`,
      jwks_uri: `${this.issuer}/jwks`,
      end_session_endpoint: `${this.issuer}/logout`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      token_endpoint_auth_methods_supported: ['client_secret_basic'],
      ...this.document,
    };
  }
}

/** Begins a sign-in, as a click on the button does. */
export async function begin(client: HttpClient, { id }: { id: number }, query = ''): Promise<Asked> {
  const answer = await client.get(`/api/auth/oidc/${id}/start${query}`);
  expect([answer.status, answer.text]).toEqual([302, expect.anything()]);
  return askedIn(answer.headers.get('location')!);
}

export function askedIn(address: string): Asked {
  const query = new URL(address).searchParams;
  return { state: query.get('state')!, nonce: query.get('nonce')!, redirectUri: query.get('redirect_uri')!, query };
}

/** Adds a provider through the call of admins. */
export async function addProvider(
  server: TestApp,
  { issuer }: { issuer: string },
  fields: Record<string, unknown> = {},
): Promise<IdentityProvider> {
  const admin = await server.admin();
  const provider = { label: 'Company', issuer, ...CLIENT, provision: 'open', ...fields };
  const answer = await admin.post<IdentityProvider>('/api/admin/identity-providers', provider);
  expect([answer.status, answer.text]).toEqual([201, expect.anything()]);
  return answer.body;
}
