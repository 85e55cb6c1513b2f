import { type ExecutionContext, Injectable } from '@nestjs/common';
import { AuthGuard, AuthModuleOptions, PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import passport from 'passport';
import { Strategy } from 'passport-local';
import { createValidationPipe } from '../platform/http/validation.pipe.js';
import type { UserEntity } from '../users/user.entity.js';
import { LoginDto } from './auth.dto.js';
import { CredentialsService } from './credentials.service.js';

@Injectable()
export class LocalStrategy extends PassportStrategy(Strategy) {
  constructor(
    private readonly credentials: CredentialsService,
    options: AuthModuleOptions,
  ) {
    super({ passReqToCallback: true });
    passport.use(String(options.defaultStrategy), this);
  }

  validate(request: Request, username: string, password: string): Promise<UserEntity> {
    const { code } = request.body as LoginDto;
    return this.credentials.login({ username, password, code }, request.identity!.address);
  }
}

/** Validates the body before passport reads it, because guards run before pipes. */
@Injectable()
export class LocalAuthGuard extends AuthGuard() {
  private readonly pipe = createValidationPipe();

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    request.body = (await this.pipe.transform(request.body, { type: 'body', metatype: LoginDto })) as LoginDto;
    return (await super.canActivate(context)) as boolean;
  }
}
