import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { LoginEvents } from '../../audit/login-events.js';
import { AppError } from '../../platform/errors/app-error.js';
import { AccountAccessService } from '../../users/account-access.service.js';
import type { UserEntity } from '../../users/user.entity.js';
import { UsersService } from '../../users/users.service.js';
import { CredentialsService } from '../credentials.service.js';
import { AccountNotices } from '../../users/account-notices.js';
import { SessionsService } from '../sessions.service.js';
import { claimedGroups } from './claimed-groups.js';
import { IdentitySessions } from './identity-sessions.js';
import { LinkedIdentities } from './linked-identities.service.js';
import { accountOf, isVerified, type NewAccount, withSuffix } from './new-account.js';
import { ProviderRights } from './provider-rights.js';
import { isSecondFactor } from './second-factor.js';
import { SealedCookies, SIGN_IN_SECONDS } from './sealed-cookies.js';
import { expired, type ProvenPerson } from './sign-ins.service.js';
import { UsedTokens } from './used-tokens.js';
import type { UserIdentityEntity } from './user-identity.entity.js';

/** Names the cookie of a login that still needs the code of an authenticator. */
const CODE_STEP = 'complete';

/** Where a login that needs a code goes on. */
const CODE_PAGE = '/login?step=code';

/** A login at a provider whose person has not yet given the code. */
interface CodeStep {
  id: string;
  userId: number;
  epoch: number;
  identityId: number;
  providerId: number;
  sid: string;
}

/** Names with a counted suffix that are tried before a random one. */
const COUNTED_NAMES = 9;

/** From the person that a provider has proven to a session of an account. */
@Injectable()
export class OidcLogins {
  constructor(
    private readonly identities: LinkedIdentities,
    private readonly identitySessions: IdentitySessions,
    private readonly rights: ProviderRights,
    private readonly users: UsersService,
    private readonly access: AccountAccessService,
    private readonly credentials: CredentialsService,
    private readonly sessions: SessionsService,
    private readonly cookies: SealedCookies,
    private readonly used: UsedTokens,
    private readonly notices: AccountNotices,
    private readonly events: LoginEvents,
  ) {}

  /**
   * Signs the person in, connects the login, or notes that the person of the session is there.
   * @returns the path of the page to go on with
   * @throws AppError `identity_not_linked`, `account_pending`, `account_suspended`, `sign_in_failed`, `conflict`
   */
  async complete(person: ProvenPerson, request: Request, response: Response): Promise<string> {
    const { purpose, returnTo } = person.attempt;
    if (purpose === 'link') await this.link(person, request);
    else if (purpose === 'reauth' && person.attempt.userId !== null) await this.renew(person, request);
    else if (await this.login(person, request, response))
      return `${CODE_PAGE}&returnTo=${encodeURIComponent(returnTo)}`;
    return returnTo;
  }

  /**
   * Ends a login with the code of the account's second factor.
   * @throws AppError `sign_in_failed`, `totp_invalid`, `account_pending`, `account_suspended`, `rate_limited`, `storage_unavailable`
   */
  async confirmCode(request: Request, response: Response, code: string): Promise<UserEntity> {
    // Fails before the code is used up, which works once.
    await this.sessions.ensureReady(request);
    const step = this.cookies.read<CodeStep>(request, CODE_STEP);
    if (step === null) throw expired();
    // Also where the account or the login was deleted meanwhile.
    if (!(await this.identitySessions.isOpen(step.identityId, step.sid))) throw expired();
    const user = await this.users.get(step.userId);
    if (user.sessionEpoch !== step.epoch) throw expired();
    await this.notingFailure(user, request, async () => {
      this.access.ensureUsable(user);
      await this.credentials.confirmFactor(user, code, request.identity!.address);
    });
    if (!(await this.used.use(`code step ${step.id}`, SIGN_IN_SECONDS))) throw expired();
    this.cookies.clear(response, CODE_STEP);
    await this.beginSession(request, response, user, step);
    return this.users.get(user.id);
  }

  /** @returns whether a code is needed before there is a session */
  private async login(person: ProvenPerson, request: Request, response: Response): Promise<boolean> {
    const { provider, token } = person;
    const { address } = request.identity!;
    const identity = (await this.identities.find(person)) ?? (await this.provision(person));
    const known = await this.users.get(identity.userId);
    await this.notingFailure(known, request, async () => {
      if (known.isService) throw new AppError('forbidden');
      this.access.ensureUsable(known);
    });
    await this.identities.noteUse(identity, person);
    await this.rights.apply(known, identity.id, provider, claimedGroups(token, provider.groupClaim), address);
    await this.sessions.shortenToRights(known.id);
    // Rights that were taken have ended all sessions of the account.
    const user = await this.users.get(known.id);
    const sid = sidOf(person);
    const step = { identityId: identity.id, providerId: provider.id, sid };
    await this.identitySessions.add(identity.id, sid);
    const isTwoFactor = isSecondFactor(provider, token);
    if (user.hasTotp && !isTwoFactor) {
      const id = randomBytes(16).toString('base64url');
      const state: CodeStep = { id, userId: user.id, epoch: user.sessionEpoch, ...step };
      this.cookies.write(request, response, CODE_STEP, state);
      return true;
    }
    const { authenticatedAt } = person;
    await this.beginSession(request, response, user, step, {
      ...(authenticatedAt !== null && { authenticatedAt }),
      ...(isTwoFactor && { isTwoFactor }),
    });
    return false;
  }

  private async beginSession(
    request: Request,
    response: Response,
    user: UserEntity,
    { identityId, providerId, sid }: Pick<CodeStep, 'identityId' | 'providerId' | 'sid'>,
    proof: { authenticatedAt?: number; isTwoFactor?: true } = {},
  ): Promise<void> {
    await this.sessions.signInWithChats(request, response, user, {
      way: 'oidc',
      remember: false,
      oidc: { providerId, identityId, sid },
      ...proof,
    });
    // A logout that the provider has reported since then found no session to end.
    if (!(await this.identitySessions.isOpen(identityId, sid))) {
      await this.sessions.signOut(request, response, user.id);
      throw expired();
    }
    await this.events.succeeded({ user, way: 'oidc', address: request.identity!.address });
  }

  /** Notes a refusal of a known account. */
  private async notingFailure(user: UserEntity, request: Request, check: () => Promise<void>): Promise<void> {
    try {
      await check();
    } catch (error) {
      await this.events.failed({ user, way: 'oidc', address: request.identity!.address }, error);
      throw error;
    }
  }

  private async link(person: ProvenPerson, request: Request): Promise<void> {
    const { userId } = person.attempt;
    if (userId === null || request.identity!.userId !== userId) throw expired();
    if (await this.identities.link(person, userId))
      this.notices.tell(userId, { kind: 'identity', provider: person.provider.label });
  }

  private async renew(person: ProvenPerson, request: Request): Promise<void> {
    const { userId } = person.attempt;
    if (request.identity!.userId !== userId) throw expired();
    const identity = await this.identities.find(person);
    if (identity?.userId !== userId) throw new AppError('sign_in_failed', { reason: 'other_account' });
    await this.sessions.renewAuthentication(request, person.authenticatedAt!);
  }

  /**
   * Makes an account for a person who has none.
   * @throws AppError `identity_not_linked`
   */
  private async provision(person: ProvenPerson): Promise<UserIdentityEntity> {
    const { provider, token } = person;
    if (provider.provision === 'linked-only') throw new AppError('identity_not_linked');
    const hasNames = token['preferred_username'] !== undefined || token['email'] !== undefined;
    const claims = hasNames ? token : { ...(await person.moreClaims()), ...token };
    const account = accountOf(claims);
    const isOfHouse = isVerified(claims) === true && this.access.isOfAllowedDomains(account.email);
    const isApproved =
      provider.provision === 'open' || (provider.isEnvironment && (isOfHouse || this.access.approvesRegistrations()));
    await this.create(account, isApproved, person);
    return (await this.identities.find(person))!;
  }

  private async create(account: NewAccount, isApproved: boolean, person: ProvenPerson): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const suffix = attempt <= COUNTED_NAMES ? String(attempt) : randomBytes(4).toString('hex');
      const username = attempt === 1 ? account.username : withSuffix(account.username, suffix);
      try {
        await this.users.create({ ...account, username, isApproved }, (manager, { id }) =>
          this.identities.insert(manager, person, id),
        );
        return;
      } catch (error) {
        // Another sign-in of the same person was faster.
        if (error instanceof AppError && error.code === 'conflict') return;
        const isTaken = error instanceof AppError && error.code === 'username_taken';
        if (!isTaken || attempt > 2 * COUNTED_NAMES) throw error;
      }
    }
  }
}

const MAX_SID = 500;

/** A session name that is too long to be kept is as good as none: a logout of the person still ends it. */
function sidOf({ token }: ProvenPerson): string {
  const { sid } = token;
  return typeof sid === 'string' && sid.length <= MAX_SID && !sid.includes('\0') ? sid : '';
}
