import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { UserEntity } from '../users/user.entity.js';
import { GuestCookies } from './guest-cookies.js';
import { IdentityService } from './identity.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([UserEntity])],
  providers: [GuestCookies, IdentityService],
  exports: [GuestCookies, IdentityService],
})
export class AuthModule {}
