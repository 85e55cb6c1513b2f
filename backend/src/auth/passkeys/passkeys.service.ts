import { LIMITS, type Passkey } from '@tanya/contract';
import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import type { EntityManager, Repository } from 'typeorm';
import { AccountLifecycleHooks } from '../../identity/account-lifecycle-hooks.js';
import { ownerUserId } from '../../identity/identity.js';
import { isUniqueViolation } from '../../platform/database/constraint-violations.js';
import { statement } from '../../platform/database/named-parameters.js';
import { AppError, refuseField } from '../../platform/errors/app-error.js';
import { LOGGER, type Logger } from '../../platform/observability/logging.js';
import { SecretBox } from '../../platform/secrets/secret-box.js';
import { AccountAccessService } from '../../users/account-access.service.js';
import type { UserEntity } from '../../users/user.entity.js';
import { UsersService } from '../../users/users.service.js';
import { challengeIn, isUncertified, loginResponseIn, registrationResponseIn } from './browser-response.js';
import { PasskeyChallenges } from './passkey-challenges.js';
import { PasskeyEntity } from './passkey.entity.js';
import type { RelyingParty } from './relying-party.js';

/** A device that counts its uses counts up. Of two parallel logins with one count the second changes no row. */
const countUse = statement<{ id: number; counter: number }>(`
  update passkey set counter = :counter, last_used_at = now()
  where id = :id and (counter < :counter or counter = 0 and :counter = 0)`);

interface PasskeyLogin {
  passkeyId: number;
  userId: number;
  /** The device has counted fewer uses than before: there is a copy of the key. */
  runsBack: boolean;
}

/** The passkeys of accounts: adds, lists and removes them, and verifies logins. Callers limit failed attempts. */
@Injectable()
export class PasskeysService {
  constructor(
    @InjectRepository(PasskeyEntity) private readonly passkeys: Repository<PasskeyEntity>,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly challenges: PasskeyChallenges,
    private readonly users: UsersService,
    private readonly access: AccountAccessService,
    private readonly secrets: SecretBox,
    hooks: AccountLifecycleHooks,
  ) {
    hooks.onExport('passkeys', (owner) => this.exported(ownerUserId(owner)));
  }

  /** Newest first; at most `LIMITS.passkeys`. */
  async list(userId: number): Promise<Passkey[]> {
    const rows = await this.passkeys.find({ where: { userId }, order: { id: 'DESC' } });
    return rows.map(toPasskey);
  }

  /**
   * What the browser needs to make a passkey, which a login finds without a name and which asks its person for a PIN, a
   * finger or a face.
   * @throws AppError `conflict` for too many passkeys
   */
  async registrationOptions(
    user: UserEntity,
    siteTitle: string,
    { id: rpID }: RelyingParty,
  ): Promise<PublicKeyCredentialCreationOptionsJSON> {
    const own = await this.passkeys.findBy({ userId: user.id });
    if (own.length >= LIMITS.passkeys) throw tooMany();
    const options = await generateRegistrationOptions({
      rpName: siteTitle,
      rpID,
      userName: user.username,
      userDisplayName: user.fullName ?? user.username,
      // The same for all passkeys of an account, and nothing about the person.
      userID: Buffer.from(this.secrets.sign(`passkey.${user.id}`), 'base64url'),
      excludeCredentials: own.map(({ credentialId: id, transports }) => ({ id, transports })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
    await this.challenges.add(options.challenge, user.id);
    return options;
  }

  /** @throws AppError `invalid` for a response that is not accepted, `conflict` for a known passkey or too many */
  async add(userId: number, name: string, given: Record<string, unknown>, site: RelyingParty): Promise<Passkey> {
    const response = registrationResponseIn(given);
    const credential = response === null ? null : await this.newCredential(userId, response, site);
    if (credential === null) throw refuseField('response', 'passkey');
    const row = this.passkeys.create({
      userId,
      name,
      credentialId: credential.id,
      publicKey: Buffer.from(credential.publicKey).toString('base64url'),
      counter: credential.counter,
      transports: response!.response.transports ?? [],
      lastUsedAt: null,
    });
    await this.passkeys.manager.transaction(async (manager) => {
      await this.users.lock(manager, userId);
      if ((await manager.countBy(PasskeyEntity, { userId })) >= LIMITS.passkeys) throw tooMany();
      try {
        await manager.save(row);
      } catch (error) {
        if (!isUniqueViolation(error, 'passkey_credential')) throw error;
        throw new AppError('conflict', { reason: 'passkey_known', cause: error });
      }
    });
    return toPasskey(row);
  }

  /**
   * @param hasOtherLogin whether the account can sign in with neither passkey nor password
   * @throws AppError `not_found`, `last_login_method`
   */
  async remove(userId: number, id: number, hasOtherLogin: (manager: EntityManager) => Promise<boolean>): Promise<void> {
    await this.passkeys.manager.transaction(async (manager) => {
      // Two requests at once would each see the other passkey.
      await this.users.lock(manager, userId);
      const { affected } = await manager.delete(PasskeyEntity, { id, userId });
      if (!affected) throw new AppError('not_found');
      const isLast =
        !this.access.hasUsablePassword(await this.users.getWithin(manager, userId)) &&
        !(await manager.existsBy(PasskeyEntity, { userId })) &&
        !(await hasOtherLogin(manager));
      if (isLast) throw new AppError('last_login_method');
    });
  }

  /** @param userId of a person who confirms who they are: only the own passkeys fit */
  async loginOptions(
    { id: rpID }: RelyingParty,
    userId: number | null,
  ): Promise<PublicKeyCredentialRequestOptionsJSON> {
    const own = userId === null ? [] : await this.passkeys.findBy({ userId });
    const options = await generateAuthenticationOptions({
      rpID,
      userVerification: 'required',
      allowCredentials: own.map(({ credentialId: id, transports }) => ({ id, transports })),
    });
    await this.challenges.add(options.challenge, null);
    return options;
  }

  /** Verifies a login. @returns null for a response that is not accepted */
  async verify(
    given: Record<string, unknown>,
    { id: expectedRPID, origin }: RelyingParty,
  ): Promise<PasskeyLogin | null> {
    const response = loginResponseIn(given);
    const row = response && (await this.passkeys.findOneBy({ credentialId: response.id }));
    if (response === null || row === null) return null;
    const expectedChallenge = await this.usedChallenge(response, null);
    if (expectedChallenge === null) return null;
    const { id, userId, credentialId, publicKey } = row;
    const verification = await this.attempt(() =>
      verifyAuthenticationResponse({
        response,
        expectedChallenge,
        expectedOrigin: origin,
        expectedRPID,
        // The stored counter is compared by the statement below, so that parallel logins are, too.
        credential: { id: credentialId, publicKey: Buffer.from(publicKey, 'base64url'), counter: 0 },
        requireUserVerification: true,
      }),
    );
    if (!verification?.verified) return null;
    const counter = verification.authenticationInfo.newCounter;
    const [, counted] = await this.passkeys.query<[unknown, number]>(...countUse({ id, counter }));
    return { passkeyId: id, userId, runsBack: counted === 0 };
  }

  private async newCredential(userId: number, response: RegistrationResponseJSON, site: RelyingParty) {
    const expectedChallenge = await this.usedChallenge(response, userId);
    if (expectedChallenge === null) return null;
    const verification = await this.attempt(async () => {
      if (!isUncertified(response)) return null;
      return verifyRegistrationResponse({
        response,
        expectedChallenge,
        expectedOrigin: site.origin,
        expectedRPID: site.id,
        requireUserVerification: true,
      });
    });
    const credential = verification?.registrationInfo?.credential;
    // The id within the attestation has no bound of its own, and a login finds the passkey by the one that was given.
    return credential?.id === response.id ? credential : null;
  }

  /** The challenge of a response, which this uses up; null for one that is not valid. */
  private async usedChallenge(
    response: Parameters<typeof challengeIn>[0],
    userId: number | null,
  ): Promise<string | null> {
    const challenge = challengeIn(response);
    return challenge !== null && (await this.challenges.use(challenge, userId)) ? challenge : null;
  }

  /** The library throws for everything that it does not accept. */
  private async attempt<T>(verify: () => Promise<T>): Promise<T | null> {
    try {
      return await verify();
    } catch (error) {
      this.logger.debug({ err: error }, 'passkey not accepted');
      return null;
    }
  }

  private async *exported(userId: number | null): AsyncGenerator<Passkey> {
    if (userId !== null) yield* await this.list(userId);
  }
}

const tooMany = (): AppError => new AppError('conflict', { reason: 'passkeys', params: { max: LIMITS.passkeys } });

const toPasskey = ({ id, name, createdAt, lastUsedAt }: PasskeyEntity): Passkey => ({
  id,
  name,
  createdAt: createdAt.toISOString(),
  lastUsedAt: lastUsedAt?.toISOString() ?? null,
});
