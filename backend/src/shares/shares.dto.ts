import type { CreateShareRequest } from '@tanya/contract';
import { IsISO8601 } from 'class-validator';
import { NullIsAbsent } from '../platform/http/dto.decorators.js';

export class CreateShareDto implements CreateShareRequest {
  @NullIsAbsent()
  @IsISO8601({ strict: true }, { message: 'expiresAt must be a date and time' })
  expiresAt?: string;
}
