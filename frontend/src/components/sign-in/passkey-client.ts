import { queryOptions } from '@tanstack/react-query';
import type { AddPasskeyRequest, Passkey, PasskeyLoginRequest, KnownPassword, User } from '@tanya/contract';
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import { api } from '../../app/api/api-client';
import { t } from '../../app/i18n/translate';
import { loadLate } from '../lazy/load-late';

/** The passkeys of the account. Another browser may add one, so every visit reads them again. */
export const passkeysQuery = queryOptions({
  queryKey: ['passkeys'],
  queryFn: ({ signal }) => api.get<Passkey[]>('/api/user/passkeys', signal),
  staleTime: 0,
});

const load = () => loadLate(() => import('@simplewebauthn/browser'));

/** Whether the browser has passkeys here: over https or on this machine, and never for an address without a name. */
export function canUsePasskeys(): boolean {
  const { hostname } = globalThis.location;
  return 'PublicKeyCredential' in globalThis && !/^[\d.]+$|:/.test(hostname);
}

/** Loads the code for passkeys before its use, so that the browser asks at once. A failed load is repeated then. */
export function preloadPasskeys(): void {
  load().catch(() => undefined);
}

/** The person has closed the browser's question, or let it pass. */
export class PasskeyCancelled extends Error {}

/** Logs in with a passkey that the person chooses. @throws PasskeyCancelled, ApiError; Error with a text for people */
export const logInWithPasskey = (rememberMe?: boolean): Promise<User> => sendPasskey({ rememberMe });

/**
 * Confirms who the person of this session is, which stands for the password for five minutes. The session gets another id.
 * @param userId the account that the page shows
 * @throws as `logInWithPasskey`
 */
export const confirmWithPasskey = (userId: number): Promise<User> => sendPasskey({ userId });

async function sendPasskey(purpose: Omit<PasskeyLoginRequest, 'response'>): Promise<User> {
  const [{ startAuthentication }, optionsJSON] = await Promise.all([
    load(),
    api.post<PublicKeyCredentialRequestOptionsJSON>('/api/login/passkey/options'),
  ]);
  const response = await asked(() => startAuthentication({ optionsJSON }));
  return api.post<User>('/api/login/passkey', { ...purpose, response } satisfies PasskeyLoginRequest);
}

/** Makes a passkey and adds it to the account. @throws as `logInWithPasskey` */
export async function addPasskey(name: string, password: string | undefined): Promise<void> {
  const [{ startRegistration }, optionsJSON] = await Promise.all([
    load(),
    api.post<PublicKeyCredentialCreationOptionsJSON>('/api/user/passkeys/options', {
      password,
    } satisfies KnownPassword),
  ]);
  const response = await asked(() => startRegistration({ optionsJSON }));
  await api.post('/api/user/passkeys', { name, response } satisfies AddPasskeyRequest);
}

/** Runs the browser's question. Browsers explain their refusals in the words of their makers. */
async function asked<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    const name = error instanceof Error ? error.name : '';
    if (name === 'NotAllowedError' || name === 'AbortError') throw new PasskeyCancelled();
    throw new Error(t(name === 'InvalidStateError' ? 'passkeys.known' : 'passkeys.failed'), { cause: error });
  }
}
