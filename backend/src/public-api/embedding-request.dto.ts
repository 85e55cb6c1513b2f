import { API_LIMITS, LIMITS } from '@tanya/contract';
import { IsIn, IsInt, IsNotEmpty, IsString, Max, Min, ValidateBy } from 'class-validator';
import { MaxLength, NullIsAbsent } from '../platform/http/dto.decorators.js';

export type EmbeddingInput = string | string[] | number[] | number[][];

const isText = (value: unknown): boolean =>
  typeof value === 'string' && value !== '' && value.length <= API_LIMITS.embeddingInput && value.isWellFormed();

const isToken = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;

const isTokens = (value: unknown): boolean =>
  Array.isArray(value) && value.length > 0 && value.length <= API_LIMITS.embeddingInput && value.every(isToken);

function isEmbeddingInput(value: unknown): boolean {
  if (isText(value) || isTokens(value)) return true;
  if (!Array.isArray(value) || value.length === 0 || value.length > API_LIMITS.embeddingInputs) return false;
  return value.every(isText) || value.every(isTokens);
}

const IsEmbeddingInput = (): PropertyDecorator =>
  ValidateBy({
    name: 'isEmbeddingInput',
    validator: {
      validate: isEmbeddingInput,
      defaultMessage: () =>
        `$property must be a text, a list of tokens, or a list of up to ${API_LIMITS.embeddingInputs} of either, none empty`,
    },
  });

/** The fields of OpenAI's request for embeddings. Unknown fields are ignored. */
export class EmbeddingRequestDto {
  @MaxLength(LIMITS.modelId.max)
  @IsNotEmpty()
  @IsString()
  model: string;

  @IsEmbeddingInput()
  input: EmbeddingInput;

  @NullIsAbsent()
  @IsIn(['float', 'base64'])
  encoding_format?: 'float' | 'base64';

  @NullIsAbsent()
  @Max(API_LIMITS.embeddingDimensions.max)
  @Min(API_LIMITS.embeddingDimensions.min)
  @IsInt()
  dimensions?: number;
}
