import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import type { Passkey } from '@tanya/contract';
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import { isoCBOR } from '@simplewebauthn/server/helpers';
import type { HttpClient } from '../harness/http-client.js';
import { PASSWORD } from '../harness/test-app.js';

const FLAGS = { present: 0x01, verified: 0x04, attested: 0x40 };

const sha256 = (data: string | Uint8Array): Buffer => createHash('sha256').update(data).digest();

const base64url = (data: Uint8Array): string => Buffer.from(data).toString('base64url');

interface Signing {
  challenge: string;
  rpId: string;
  origin?: string;
  /** Whether the device has verified its person. */
  isVerified?: boolean;
  type?: string;
}

/** A device with one passkey, in software. */
export class PasskeyDevice {
  readonly id = randomBytes(32);
  counter = 0;
  /** The format of the attestation, and what is in it. */
  attestation: { fmt: string; statement: Map<string, unknown> } = { fmt: 'none', statement: new Map() };
  private readonly privateKey: KeyObject;
  private readonly cose: Uint8Array;

  /** @param origin that the browser reports */
  constructor(readonly origin: string) {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const { x, y } = publicKey.export({ format: 'jwk' });
    const key = new Map<number, number | Uint8Array>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x!, 'base64url')],
      [-3, Buffer.from(y!, 'base64url')],
    ]);
    this.privateKey = privateKey;
    this.cose = isoCBOR.encode(key);
  }

  /** What `navigator.credentials.create` gives. */
  create({ challenge, rpId, ...how }: Signing): Record<string, unknown> {
    const length = Buffer.alloc(2);
    length.writeUInt16BE(this.id.length);
    const attested = Buffer.concat([Buffer.alloc(16), length, this.id, this.cose]);
    const authData = Buffer.concat([this.authData(rpId, how.isVerified, FLAGS.attested), attested]);
    const { fmt, statement } = this.attestation;
    const object = new Map<string, unknown>([
      ['fmt', fmt],
      ['attStmt', statement],
      ['authData', authData],
    ]);
    return this.credential({
      clientDataJSON: this.clientData({ type: 'webauthn.create', challenge, rpId, ...how }),
      attestationObject: base64url(isoCBOR.encode(object as never)),
      transports: ['internal', 'of tomorrow'],
    });
  }

  /** What `navigator.credentials.get` gives. */
  get({ challenge, rpId, ...how }: Signing): Record<string, unknown> {
    const clientDataJSON = this.clientData({ type: 'webauthn.get', challenge, rpId, ...how });
    const authData = this.authData(rpId, how.isVerified);
    const signed = Buffer.concat([authData, sha256(Buffer.from(clientDataJSON, 'base64url'))]);
    return this.credential({
      clientDataJSON,
      authenticatorData: base64url(authData),
      signature: base64url(sign('sha256', signed, this.privateKey)),
      userHandle: base64url(Buffer.from('someone')),
    });
  }

  private credential(response: object): Record<string, unknown> {
    const id = base64url(this.id);
    return {
      id,
      rawId: id,
      type: 'public-key',
      authenticatorAttachment: 'platform',
      clientExtensionResults: {},
      response,
    };
  }

  private clientData({ type, challenge, origin = this.origin }: Signing): string {
    return base64url(Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false })));
  }

  private authData(rpId: string, isVerified = true, more = 0): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.counter);
    const flags = FLAGS.present | more | (isVerified ? FLAGS.verified : 0);
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), counter]);
  }
}

export const creationOptions = (client: HttpClient, body: object = { password: PASSWORD }) =>
  client.post<PublicKeyCredentialCreationOptionsJSON>('/api/user/passkeys/options', body);

export const requestOptions = (client: HttpClient) =>
  client.post<PublicKeyCredentialRequestOptionsJSON>('/api/login/passkey/options');

/** Adds a passkey of a new device to the account of a signed-in client. */
export async function addPasskey(
  client: HttpClient,
  name = 'My phone',
): Promise<{ device: PasskeyDevice; id: number }> {
  const device = new PasskeyDevice(client.url);
  const { challenge, rp } = (await creationOptions(client)).body;
  const response = device.create({ challenge, rpId: rp.id! });
  const added = await client.post<Passkey>('/api/user/passkeys', { name, response });
  expect([added.status, added.text]).toEqual([201, expect.anything()]);
  return { device, id: added.body.id };
}

/** Logs in with the device's passkey. */
export async function passkeyLogin(client: HttpClient, device: PasskeyDevice, how: Partial<Signing> = {}, more = {}) {
  const { challenge, rpId } = (await requestOptions(client)).body;
  const response = device.get({ challenge, rpId: rpId!, ...how });
  return client.post<{ id: number }>('/api/login/passkey', { response, ...more });
}
