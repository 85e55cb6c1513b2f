import { applyDecorators } from '@nestjs/common';
import {
  type AttachmentRef,
  type GenerationApprovePayload,
  type GenerationRegeneratePayload,
  type GenerationResumePayload,
  type GenerationStartPayload,
  type GenerationStopPayload,
  LIMITS,
  type OutgoingMessage,
  REASONING_EFFORTS,
  type ReasoningEffort,
  type SendMessageRequest,
} from '@tanya/contract';
import { Transform } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsNotEmpty,
  IsObject,
  IsOptional,
  IsString,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import {
  Ignored,
  IsObjectOf,
  IsSmallId,
  IsUuid,
  IsWholeWithin,
  MaxLength,
  NullIsAbsent,
} from '../../platform/http/dto.decorators.js';
import { Nested } from '../../platform/http/input-sizes.js';
import { cleanFileName, fileIdOf } from '../../files/file-name.js';
import { invalidField } from '../../platform/errors/app-error.js';
import { toStorableText } from '../../platform/json/storable-json.js';

const tooLong = `The message must be ${LIMITS.messageText.toLocaleString('en')} characters or less`;

/** An id within the range of both Postgres and JavaScript. */
export const IsId = (): PropertyDecorator => IsWholeWithin({ min: 1, max: Number.MAX_SAFE_INTEGER });

/** Optional text of limited length; null counts as absent. */
const IsBoundedText = (max: number): PropertyDecorator => applyDecorators(NullIsAbsent(), IsString(), MaxLength(max));

const URL_LENGTH = 200;

/** Names of tools; whether the asker may use them is checked later. */
const IsToolNames = (): PropertyDecorator =>
  applyDecorators(
    NullIsAbsent(),
    IsArray(),
    ArrayMaxSize(LIMITS.tools),
    IsString({ each: true }),
    MaxLength(LIMITS.toolName.max, { each: true }),
  );

class AttachmentRefDto implements AttachmentRef {
  /** The id that `POST /api/files` returned. */
  @IsUuid()
  fileId: string;

  /** Accepted and ignored, so that stored content can be sent again: the server reads them from the row of the file. */
  @Ignored()
  url?: unknown;

  @Ignored()
  name?: unknown;

  @Ignored()
  type?: unknown;

  @Ignored()
  size?: unknown;
}

/** A message from the composer. Its files are uploaded before. */
export class OutgoingMessageDto implements OutgoingMessage {
  /** Optional beside an attachment. */
  @Transform(({ value }: { value: unknown }) => value ?? '')
  @IsString()
  @MaxLength(LIMITS.messageText, { message: tooLong })
  text = '';

  @NullIsAbsent()
  @IsArray()
  @ArrayMaxSize(LIMITS.attachments, { message: `A message carries at most ${LIMITS.attachments} files` })
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Nested(() => AttachmentRefDto)
  attachments?: AttachmentRefDto[];

  @IsBoundedText(URL_LENGTH)
  imageData?: string;

  @IsBoundedText(URL_LENGTH)
  audioData?: string;

  @IsBoundedText(URL_LENGTH)
  fileUrl?: string;

  @IsBoundedText(LIMITS.fileName.max)
  fileName?: string;

  @IsBoundedText(LIMITS.fileName.max)
  fileType?: string;

  @NullIsAbsent()
  @IsWholeWithin({ min: 0, max: LIMITS.documentBytes })
  fileSize?: number;

  @NullIsAbsent()
  @IsBoolean()
  hasCode?: boolean;
}

/** What `POST /api/chat/message` and another answer ask for. */
class AnswerOptionsDto {
  @NullIsAbsent()
  @IsIn(REASONING_EFFORTS)
  reasoningEffort?: ReasoningEffort;

  @IsToolNames()
  tools?: string[];

  /** Whether fallbacks of the model may answer; true by default. */
  @NullIsAbsent()
  @IsBoolean()
  fallback?: boolean;
}

/**
 * It has all of its fields itself: class-validator compares each inherited rule with each own one for every input, which
 * made 600 of the 7,900 calls of functions of an answer.
 */
export class GenerationStartDto implements GenerationStartPayload {
  @IsUuid()
  clientMessageId: string;

  @ValidateIf((dto: GenerationStartDto) => dto.threadId !== null)
  @IsId()
  threadId: number | null;

  @IsString()
  @IsNotEmpty()
  @MaxLength(LIMITS.modelId.max)
  model: string;

  @IsObjectOf(() => OutgoingMessageDto)
  content: OutgoingMessageDto;

  @NullIsAbsent()
  @IsId()
  editOf?: number;

  @NullIsAbsent()
  @IsIn(REASONING_EFFORTS)
  reasoningEffort?: ReasoningEffort;

  @IsToolNames()
  tools?: string[];

  @NullIsAbsent()
  @IsBoolean()
  fallback?: boolean;

  @NullIsAbsent()
  @IsBoolean()
  useInstructions?: boolean;

  @NullIsAbsent()
  @IsSmallId()
  projectId?: number;

  @NullIsAbsent()
  @IsBoolean()
  temporary?: boolean;
}

export class GenerationRegenerateDto extends AnswerOptionsDto implements GenerationRegeneratePayload {
  @IsUuid()
  clientMessageId: string;

  @IsId()
  messageId: number;

  @NullIsAbsent()
  @IsString()
  @MaxLength(LIMITS.modelId.max)
  model?: string;
}

export class GenerationStopDto implements GenerationStopPayload {
  @IsUuid()
  generationId: string;
}

/** `POST /api/chat/generations/{id}/approve` */
export class ApproveDto {
  @IsString()
  @IsNotEmpty()
  @MaxLength(LIMITS.callId.max)
  callId: string;

  @IsBoolean()
  allow: boolean;
}

export class GenerationApproveDto extends ApproveDto implements GenerationApprovePayload {
  @IsUuid()
  generationId: string;
}

export class GenerationResumeDto implements GenerationResumePayload {
  @IsUuid()
  generationId: string;

  @IsWholeWithin({ min: 0, max: Number.MAX_SAFE_INTEGER })
  afterSeq: number;
}

/** `POST /api/chat/message`. `content` is plain text or the JSON string of an outgoing message, whose files may be data URLs. */
export class SendMessageDto extends AnswerOptionsDto implements SendMessageRequest {
  @IsString()
  @IsNotEmpty()
  @MaxLength(LIMITS.messageJsonBytes)
  content: string;

  @IsOptional()
  @IsId()
  threadId?: number | null;

  @NullIsAbsent()
  @IsString()
  @MaxLength(LIMITS.modelId.max)
  model?: string;

  @NullIsAbsent()
  @IsUuid()
  clientMessageId?: string;

  /** For a new thread: whether custom instructions apply. */
  @NullIsAbsent()
  @IsBoolean()
  useInstructions?: boolean;

  /** For a new thread: its project. */
  @NullIsAbsent()
  @IsSmallId()
  projectId?: number;

  /** For a new thread: whether it is temporary. */
  @NullIsAbsent()
  @IsBoolean()
  temporary?: boolean;

  /** Accepted and ignored: the server counts guests' messages. */
  @Ignored()
  guestUsage?: number;
}

/**
 * Checks a message from a transport: it must not be empty, and its attachments must be uploaded files.
 * @throws AppError `invalid`
 */
export function requireContent(content: OutgoingMessage): OutgoingMessage {
  const cleaned: OutgoingMessage = { ...content, text: toStorableText(content.text) };
  if (cleaned.fileName !== undefined) cleaned.fileName = cleanFileName(cleaned.fileName);
  const urls = [cleaned.imageData, cleaned.audioData, cleaned.fileUrl].filter(Boolean);
  const isEmpty = cleaned.text.trim() === '' && urls.length === 0 && !cleaned.attachments?.length;
  if (isEmpty) throw invalidField('content.text', 'The message is empty');
  for (const url of urls) {
    if (!url?.startsWith('/api/files/') || fileIdOf(url) === null)
      throw invalidField('content', 'Attachments must be uploaded files');
  }
  return cleaned;
}
