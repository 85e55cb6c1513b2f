import { API_LIMITS, LIMITS } from '@tanya/contract';
import { ArrayMaxSize, IsIn, IsNotEmpty, IsNumber, IsString, Matches, Max, Min } from 'class-validator';
import { MaxLength, MayBeAbsent } from '../platform/http/dto.decorators.js';

const TRANSCRIPTION_FORMATS = ['json', 'text', 'verbose_json', 'srt', 'vtt'] as const;

export type TranscriptionFormat = (typeof TRANSCRIPTION_FORMATS)[number];

const GRANULARITIES = ['word', 'segment'] as const;

/** The fields of OpenAI's form for transcriptions, beside `file`. Unknown fields are ignored. */
export class TranscriptionRequestDto {
  @MaxLength(LIMITS.modelId.max)
  @IsNotEmpty()
  @IsString()
  model: string;

  /** A code such as `id` or `en-GB`, or the name that some servers take. */
  @MayBeAbsent()
  @Matches(/^[A-Za-z][A-Za-z-]{1,34}$/, { message: 'language must be a language code' })
  language?: string;

  @MayBeAbsent()
  @MaxLength(API_LIMITS.transcriptionPrompt)
  @IsString()
  prompt?: string;

  @MayBeAbsent()
  @IsIn(TRANSCRIPTION_FORMATS)
  response_format?: TranscriptionFormat;

  @MayBeAbsent()
  @Max(1)
  @Min(0)
  @IsNumber()
  temperature?: number;

  @MayBeAbsent()
  @ArrayMaxSize(GRANULARITIES.length)
  @IsIn(GRANULARITIES, { each: true })
  'timestamp_granularities[]'?: string[];
}
