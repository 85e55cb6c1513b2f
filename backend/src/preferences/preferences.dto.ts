import { LIMITS, type UpdatePreferencesRequest } from '@tanya/contract';
import { IsBoolean, IsNotEmpty, IsString } from 'class-validator';
import { MaxLength, MayBeAbsent, MayBeEmpty, Trimmed } from '../platform/http/dto.decorators.js';

const tooLong = `Each of the custom instructions must be ${LIMITS.instructions.max.toLocaleString('en')} characters or less`;

export class UpdatePreferencesDto implements UpdatePreferencesRequest {
  /** The model chosen last; null removes it. Models that are not available are ignored when a thread begins. */
  @MayBeEmpty()
  @IsString()
  @IsNotEmpty()
  @MaxLength(LIMITS.modelId.max)
  modelId?: string | null;

  @MayBeAbsent()
  @Trimmed()
  @IsString()
  @MaxLength(LIMITS.instructions.max, { message: tooLong })
  aboutMe?: string;

  @MayBeAbsent()
  @Trimmed()
  @IsString()
  @MaxLength(LIMITS.instructions.max, { message: tooLong })
  howToAnswer?: string;

  @MayBeAbsent()
  @IsBoolean()
  useInstructions?: boolean;
}
