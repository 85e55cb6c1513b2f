import { applyDecorators } from '@nestjs/common';
import { RETENTION_DAYS_MAX, type UpdateRetentionRequest } from '@tanya/contract';
import { IsBoolean, IsInt, Max, Min } from 'class-validator';
import { MayBeEmpty, NullIsAbsent } from '../../platform/http/dto.decorators.js';

/** Days, or null for no end; omitted, they keep their value. */
const IsDays = (): PropertyDecorator => applyDecorators(MayBeEmpty(), Min(1), Max(RETENTION_DAYS_MAX), IsInt());

export class UpdateRetentionDto implements UpdateRetentionRequest {
  @IsDays()
  guest?: number | null;

  @IsDays()
  free?: number | null;

  @IsDays()
  premium?: number | null;

  @NullIsAbsent()
  @IsBoolean()
  exemptPinned?: boolean;

  /** Answers what the rules would delete, and changes nothing. */
  @NullIsAbsent()
  @IsBoolean()
  dryRun?: boolean;
}
