import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { decodeAttestationObject, decodeClientDataJSON, isoBase64URL } from '@simplewebauthn/server/helpers';
import { type Fields, isFields } from '../../platform/json/fields.js';

/** Characters of each text in a response. Keys and signatures of the longest supported kind, ML-DSA, have 3,300. */
const MOST = 12_000;

/** Characters of a credential's id, which has at most 1,023 bytes. */
const MOST_ID = 1_400;

const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'];

const textIn = (fields: Fields, name: string, most = MOST): string | null => {
  const value = fields[name];
  return typeof value === 'string' && value.length <= most && isoBase64URL.isBase64URL(value) ? value : null;
};

/** The fields that a login needs, without what newer browsers add; null where one is missing or too long. */
export function loginResponseIn(given: Fields): AuthenticationResponseJSON | null {
  const id = textIn(given, 'id', MOST_ID);
  const { type, rawId, response } = given;
  if (id === null || rawId !== id || type !== 'public-key' || !isFields(response)) return null;
  const clientDataJSON = textIn(response, 'clientDataJSON');
  const authenticatorData = textIn(response, 'authenticatorData');
  const signature = textIn(response, 'signature');
  if (clientDataJSON === null || authenticatorData === null || signature === null) return null;
  return { id, rawId, type, clientExtensionResults: {}, response: { clientDataJSON, authenticatorData, signature } };
}

/** The same for a new passkey. */
export function registrationResponseIn(given: Fields): RegistrationResponseJSON | null {
  const id = textIn(given, 'id', MOST_ID);
  const { type, rawId, response } = given;
  if (id === null || rawId !== id || type !== 'public-key' || !isFields(response)) return null;
  const clientDataJSON = textIn(response, 'clientDataJSON');
  const attestationObject = textIn(response, 'attestationObject');
  if (clientDataJSON === null || attestationObject === null) return null;
  const offered = Array.isArray(response.transports) ? response.transports : [];
  const transports = TRANSPORTS.filter((transport) => offered.includes(transport));
  return { id, rawId, type, clientExtensionResults: {}, response: { clientDataJSON, attestationObject, transports } };
}

/** The challenge that the browser has signed; null where none can be read. */
export function challengeIn({ response }: AuthenticationResponseJSON | RegistrationResponseJSON): string | null {
  try {
    const { challenge } = decodeClientDataJSON(response.clientDataJSON);
    return typeof challenge === 'string' ? challenge : null;
  } catch {
    return null;
  }
}

/**
 * Whether a new passkey comes without certificates, as its options ask. The check of certificates reads lists of revoked
 * ones from addresses that they name, which the client could choose.
 * @throws Error for what cannot be read
 */
export function isUncertified({ response }: RegistrationResponseJSON): boolean {
  const attestation = decodeAttestationObject(isoBase64URL.toBuffer(response.attestationObject));
  const format = attestation.get('fmt');
  return format === 'none' || (format === 'packed' && attestation.get('attStmt').get('x5c') === undefined);
}
