/**
 * A real provider of OpenID Connect as a process of its own, for tests and journeys. Arguments: port, JSON of
 * `{ clients, people }`. Anybody signs in with the name of a person and any password. It prints a line once it listens.
 */
import { createServer } from 'node:http';
import { Provider } from 'oidc-provider';

const [port, json] = process.argv.slice(2);
const { clients, people } = JSON.parse(json);
const issuer = `http://127.0.0.1:${port}`;

const provider = new Provider(issuer, {
  clients,
  findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id, ...people[id] }) }),
  claims: {
    openid: ['sub', 'sid'],
    profile: ['name', 'preferred_username', 'picture'],
    email: ['email', 'email_verified'],
    groups: ['groups'],
  },
  scopes: ['openid', 'profile', 'email', 'groups'],
  conformIdTokenClaims: false,
  pkce: { required: () => true },
  features: { backchannelLogout: { enabled: true }, devInteractions: { enabled: true } },
  cookies: { keys: ['a key for tests'] },
  ttl: { Session: 3600, Interaction: 3600, Grant: 3600, AccessToken: 600, IdToken: 600 },
  // Logouts are sent to servers on this machine, which the provider's own dispatcher refuses.
  fetch: (url, { dispatcher: _dispatcher, ...options }) => fetch(url, options),
});

createServer(provider.callback()).listen(Number(port), '127.0.0.1', () => console.log('ready'));
