import {
  type FeedbackRequest,
  LIMITS,
  type Rating,
  RATINGS,
  THREAD_ACTIONS,
  type ThreadAction,
  type ThreadBatchRequest,
  type UpdateThreadRequest,
} from '@tanya/contract';
import {
  ArrayMaxSize,
  ArrayMinSize,
  Equals,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsNotEmpty,
  IsString,
  Matches,
  Max,
  Min,
} from 'class-validator';
import {
  IsSmallId,
  IsUnique,
  MaxLength,
  MayBeEmpty,
  NullIsAbsent,
  OneLine,
  Trimmed,
} from '../../platform/http/dto.decorators.js';
import { MAX_TOOLS, TOOL_NAME } from '../../tools/tool.js';
import { IsId } from './chat.dto.js';

export class UpdateThreadDto implements UpdateThreadRequest {
  @NullIsAbsent()
  @IsString()
  @OneLine()
  @IsNotEmpty({ message: 'Please enter a title' })
  @MaxLength(LIMITS.threadTitle.max)
  title?: string;

  @NullIsAbsent()
  @IsId()
  activeLeafId?: number;

  @NullIsAbsent()
  @IsBoolean()
  isPinned?: boolean;

  @NullIsAbsent()
  @IsBoolean()
  isArchived?: boolean;

  @NullIsAbsent()
  @IsArray()
  @ArrayMaxSize(MAX_TOOLS)
  @IsUnique()
  @Matches(TOOL_NAME, { each: true })
  tools?: string[];

  @NullIsAbsent()
  @IsBoolean()
  useInstructions?: boolean;

  /** null takes the thread out of its project. */
  @MayBeEmpty()
  @IsSmallId()
  projectId?: number | null;

  /** Keeps a temporary thread. */
  @NullIsAbsent()
  @Equals(false, { message: 'Only a new chat can be made temporary.' })
  temporary?: false;
}

export class ThreadBatchDto implements ThreadBatchRequest {
  @IsIn(THREAD_ACTIONS)
  action: ThreadAction;

  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(LIMITS.threadBatch)
  @Min(1, { each: true })
  @Max(Number.MAX_SAFE_INTEGER, { each: true })
  @IsInt({ each: true })
  ids: number[];
}

export class FeedbackDto implements FeedbackRequest {
  @IsIn(RATINGS)
  rating: Rating;

  @NullIsAbsent()
  @IsString()
  @Trimmed()
  @MaxLength(LIMITS.feedbackReason.max)
  reason?: string;
}
