import type { LinkedIdentity, ProviderAddress, SignInProvider, User } from '@tanya/contract';
import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query, Req, Res, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';
import { LoginEvents } from '../../audit/login-events.js';
import { CurrentIdentity, CurrentUserId, OpenToAll, SignedInGuard } from '../../identity/guards.js';
import type { Identity } from '../../identity/identity.js';
import { AppError } from '../../platform/errors/app-error.js';
import { SmallIdPipe } from '../../platform/http/id.pipe.js';
import { type RateLimit, RateLimits } from '../../platform/rate-limits/rate-limits.js';
import { CredentialsService } from '../credentials.service.js';
import { sessionUser } from '../session-user.js';
import { SessionsService } from '../sessions.service.js';
import { KnownPasswordDto } from '../../users/account-fields.js';
import { CompleteSignInDto } from './oidc.dto.js';
import { IdentityProviders } from './identity-providers.service.js';
import { LinkedIdentities } from './linked-identities.service.js';
import { OidcLogins } from './oidc-logins.service.js';
import { OidcLogouts } from './oidc-logout.service.js';
import { type Purpose, SignIns } from './sign-ins.service.js';

/** Sign-ins from an address, each of which costs requests to the provider: an office at nine o'clock. Seconds. */
const STARTS: RateLimit = { name: 'oidc-starts', points: 300, window: 10 * 60 };

/** The page of the own account that lists its logins. */
const LINKED_PAGE = '/account/security';

@Controller('api/auth')
export class OidcController {
  constructor(
    private readonly providers: IdentityProviders,
    private readonly signIns: SignIns,
    private readonly logins: OidcLogins,
    private readonly logouts: OidcLogouts,
    private readonly credentials: CredentialsService,
    private readonly sessions: SessionsService,
    private readonly events: LoginEvents,
    private readonly limits: RateLimits,
  ) {}

  @Get('providers')
  @OpenToAll()
  list(): SignInProvider[] {
    return this.providers.offered();
  }

  @Get('oidc/:id/start')
  @OpenToAll()
  start(
    @Req() request: Request,
    @Res() response: Response,
    @CurrentIdentity() { address }: Identity,
    @Param('id', SmallIdPipe) id: number,
    @Query('returnTo') returnTo: unknown = '/',
    @Query('reauth') reauth?: unknown,
  ): Promise<void> {
    if (isSentByOtherPage(request)) {
      const query = new URLSearchParams({ returnTo: String(returnTo) });
      return Promise.resolve(response.redirect(302, `/login?${query.toString()}`));
    }
    const aim: Aim = { purpose: reauth === 'true' ? 'reauth' : 'login', returnTo: String(returnTo) };
    return goOn(request, response, aim, async () => {
      await this.limits.consume(STARTS, { address });
      return this.signIns.begin(request, response, { id, ...aim });
    });
  }

  @Get('oidc/:id/callback')
  @OpenToAll()
  callback(@Req() request: Request, @Res() response: Response, @Param('id', SmallIdPipe) id: number): Promise<void> {
    return goOn(request, response, this.signIns.attemptOf(request, id), async () => {
      // Fails before the sign-in is used up, which works once.
      await this.sessions.ensureReady(request);
      try {
        const person = await this.signIns.finish(request, response, id);
        return await this.logins.complete(person, request, response);
      } catch (error) {
        await this.noteFailure(request, error);
        throw error;
      }
    });
  }

  /** Ends a login of an account with a second factor. */
  @Post('oidc/complete')
  @HttpCode(200)
  @OpenToAll()
  async complete(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @Body() { code }: CompleteSignInDto,
  ): Promise<User> {
    return sessionUser(request, await this.logins.confirmCode(request, response, code));
  }

  /** @returns where the page goes on to connect a login with the account */
  @Post('oidc/:id/link')
  @HttpCode(200)
  @UseGuards(SignedInGuard)
  async link(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @CurrentIdentity() { address }: Identity,
    @Param('id', SmallIdPipe) id: number,
    @Body() { password }: KnownPasswordDto,
  ): Promise<ProviderAddress> {
    await this.credentials.confirm(request, password);
    await this.limits.consume(STARTS, { address });
    return { url: await this.signIns.begin(request, response, { id, purpose: 'link', returnTo: LINKED_PAGE }) };
  }

  /** Called by the provider, with a form. */
  @Post('oidc/:id/backchannel-logout')
  @HttpCode(200)
  @OpenToAll()
  async backchannelLogout(
    @Req() { body }: Request,
    @CurrentIdentity() { address }: Identity,
    @Param('id', SmallIdPipe) id: number,
  ): Promise<void> {
    const token = (body as { logout_token?: unknown } | undefined)?.logout_token;
    if (typeof token !== 'string') throw new AppError('invalid');
    await this.logouts.endReported(id, token, address);
  }

  /** Notes a login of a person without an account. `OidcLogins` notes those that it knows. */
  private async noteFailure({ identity }: Request, error: unknown): Promise<void> {
    const isUnknown = error instanceof AppError && ['sign_in_failed', 'identity_not_linked'].includes(error.code);
    const { userId, address } = identity!;
    if (isUnknown && userId === null) await this.events.failed({ user: null, way: 'oidc', address }, error);
  }
}

@Controller('api/user/identities')
@UseGuards(SignedInGuard)
export class IdentitiesController {
  constructor(
    private readonly identities: LinkedIdentities,
    private readonly sessions: SessionsService,
  ) {}

  @Get()
  list(@CurrentUserId() userId: number): Promise<LinkedIdentity[]> {
    return this.identities.list(userId);
  }

  /** Ends the other sessions that began with the login, too: it may be somebody else's by now. */
  @Delete(':id')
  async unlink(
    @Req() { sessionID }: Request,
    @CurrentUserId() userId: number,
    @Param('id', SmallIdPipe) id: number,
  ): Promise<void> {
    await this.identities.unlink(userId, id);
    await this.sessions.endWhere(userId, (each) => each.id !== sessionID && each.data.oidc?.identityId === id);
  }
}

/**
 * Whether the page of another site sends the browser here. Its person has asked for no session, and may be about to go on as
 * somebody else: the login asks them. Programs and old browsers do not tell.
 */
const isSentByOtherPage = ({ headers }: Request): boolean =>
  ['cross-site', 'same-site'].includes(String(headers['sec-fetch-site']));

interface Aim {
  purpose: Purpose;
  returnTo: string;
}

/** Sends a browser on, also after a failure: then to the login, which says why. Programs get the error itself. */
async function goOn(
  request: Request,
  response: Response,
  aim: Aim | null,
  addressOf: () => Promise<string>,
): Promise<void> {
  let address: string;
  try {
    address = await addressOf();
  } catch (error) {
    if (!(error instanceof AppError) || request.accepts(['json', 'html']) !== 'html') throw error;
    const known = aim && { purpose: aim.purpose, returnTo: aim.returnTo };
    const query = new URLSearchParams({ error: error.code, ...reasonOf(error), ...known });
    address = `/login?${query.toString()}`;
  }
  response.redirect(302, address);
}

const reasonOf = ({ params }: AppError): { reason?: string } =>
  params?.['reason'] === undefined ? {} : { reason: String(params['reason']) };
