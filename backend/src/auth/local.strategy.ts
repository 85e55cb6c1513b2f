import { type ExecutionContext, Injectable } from '@nestjs/common';
import { AuthGuard, PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import { Strategy } from 'passport-local';
import { createValidationPipe } from '../platform/validation.pipe.js';
import type { UserEntity } from '../users/user.entity.js';
import { LoginDto } from './auth.dto.js';
import { CredentialsService } from './credentials.service.js';

declare global {
  // eslint-disable-next-line @typescript-eslint/no-namespace -- Express types what passport found this way
  namespace Express {
    interface User extends UserEntity {}
  }
}

/** User name and password, checked by passport. */
@Injectable()
export class LocalStrategy extends PassportStrategy(Strategy) {
  constructor(private readonly credentials: CredentialsService) {
    super({ passReqToCallback: true });
  }

  validate(request: Request, username: string, password: string): Promise<UserEntity> {
    return this.credentials.login(username, password, request.identity!.address);
  }
}

/** Guards run before pipes, and passport takes whatever the body holds: it is validated first. */
@Injectable()
export class LocalAuthGuard extends AuthGuard('local') {
  private readonly pipe = createValidationPipe();

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    request.body = await this.pipe.transform(request.body, { type: 'body', metatype: LoginDto });
    return (await super.canActivate(context)) as boolean;
  }
}
