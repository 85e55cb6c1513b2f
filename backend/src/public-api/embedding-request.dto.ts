import { API_LIMITS, LIMITS } from '@tanya/contract';
import { IsIn, IsNotEmpty, IsString, ValidateBy } from 'class-validator';
import { invalidField } from '../platform/errors/app-error.js';
import { IsWholeWithin, MaxLength, NullIsAbsent } from '../platform/http/dto.decorators.js';

export type EmbeddingInput = string | string[] | number[] | number[][];

const isText = (value: unknown): boolean =>
  typeof value === 'string' && value !== '' && value.length <= API_LIMITS.embeddingInput && value.isWellFormed();

const isToken = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;

const isTokens = (value: unknown): boolean =>
  Array.isArray(value) && value.length > 0 && value.length <= API_LIMITS.embeddingInput && value.every(isToken);

function isEmbeddingInput(value: unknown): value is EmbeddingInput {
  if (isText(value) || isTokens(value)) return true;
  if (!Array.isArray(value) || value.length === 0 || value.length > API_LIMITS.embeddingInputs) return false;
  return value.every(isText) || value.every(isTokens);
}

/**
 * Validates the input apart from the other fields: class-transformer copies every token of every text.
 * @throws AppError `invalid`
 */
export function embeddingInput(value: unknown): EmbeddingInput {
  if (isEmbeddingInput(value)) return value;
  const most = API_LIMITS.embeddingInputs;
  throw invalidField(
    'input',
    `input must be a text, a list of tokens, or a list of up to ${most} of either, none empty`,
  );
}

/** The fields of OpenAI's request for embeddings beside the input. Unknown fields are ignored. */
export class EmbeddingOptionsDto {
  @MaxLength(LIMITS.modelId.max)
  @IsNotEmpty()
  @IsString()
  model: string;

  @NullIsAbsent()
  @IsIn(['float', 'base64'])
  encoding_format?: 'float' | 'base64';

  @NullIsAbsent()
  @IsWholeWithin(API_LIMITS.embeddingDimensions)
  dimensions?: number;

  /** What the texts are for: `query` or `passage` of NVIDIA, `search_document` of Cohere. */
  @NullIsAbsent()
  @MaxLength(API_LIMITS.embeddingPurpose)
  @IsString()
  input_type?: string;
}

export class EmbeddingRequestDto extends EmbeddingOptionsDto {
  @ValidateBy({ name: 'isEmbeddingInput', validator: { validate: isEmbeddingInput } })
  input: EmbeddingInput;
}
