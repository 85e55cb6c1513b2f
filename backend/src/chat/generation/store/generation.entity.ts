import type { GenerationError, MessageStatus, ReasoningEffort } from '@tanya/contract';
import { Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { ThreadEntity } from '../../messages/thread.entity.js';

/** One run that writes one AI message, one answer of the public API or one image. */
@Entity('generation')
@Index('generation_client_message', ['owner', 'clientMessageId'], { unique: true })
@Index('generation_one_a_thread', ['threadId'], { unique: true, where: `status in ('streaming', 'waiting')` })
@Index('generation_waiting', ['waitingSince'], { where: `status = 'waiting'` })
@Index('generation_owner_running', ['owner'], { where: `status in ('streaming', 'waiting')` })
@Index('generation_running', ['nodeId'], { where: `status = 'streaming'` })
@Index('generation_answer_expiry', ['finishedAt'], { where: 'answer is not null' })
@Index('generation_detached_expiry', ['finishedAt'], { where: 'thread_id is null and finished_at is not null' })
export class GenerationEntity {
  @PrimaryColumn({ type: 'uuid' })
  id: string;

  @Column({ type: 'text' })
  owner: string;

  @Index('generation_user')
  @Column({ type: 'integer', nullable: true })
  @ForeignKey('UserEntity', { onDelete: 'CASCADE' })
  userId: number | null;

  /** Idempotency key made by the client. */
  @Column({ type: 'text' })
  clientMessageId: string;

  /** SHA-256 of the request, so that one idempotency key cannot serve two requests. */
  @Column({ type: 'text' })
  requestHash: string;

  /** Null for a detached generation (public API, image dialog). */
  @Index('generation_thread')
  @Column({ type: 'bigint', nullable: true })
  @ForeignKey(() => ThreadEntity, { onDelete: 'CASCADE' })
  threadId: number | null;

  @Column({ type: 'bigint', nullable: true })
  userMessageId: number | null;

  @Column({ type: 'bigint', nullable: true })
  messageId: number | null;

  @Column({ type: 'text' })
  modelId: string;

  /** The effort that the send asked for; null leaves it to the model. */
  @Column({ type: 'text', nullable: true })
  reasoningEffort: ReasoningEffort | null;

  /** The API key of the call, without a foreign key; null for the page. */
  @Column({ type: 'integer', nullable: true })
  apiKeyId: number | null;

  @Column({ type: 'text', default: 'streaming' })
  status: MessageStatus;

  @Column({ type: 'integer' })
  cost: number;

  @Column({ type: 'text' })
  period: string;

  /** The node that runs it, or ran it before it waited. */
  @Column({ type: 'uuid' })
  nodeId: string;

  /** Since when calls wait for approvals; once all are decided, the time of the last decision; null for one that never waited. */
  @Column({ type: 'timestamptz', nullable: true })
  waitingSince: Date | null;

  /** JSON of what a run needs to continue after approvals. */
  @Column({ type: 'text', nullable: true })
  suspension: string | null;

  /** The last sequence number as of the suspension. */
  @Column({ type: 'integer', nullable: true })
  lastSeq: number | null;

  /** The answer of a detached generation, kept for 24 hours for its idempotency key. */
  @Column({ type: 'jsonb', nullable: true })
  answer: object | null;

  @Column({ type: 'jsonb', nullable: true })
  error: GenerationError | null;

  /** The attempts of other models before the present one; null while the asked one answers. */
  @Column({ type: 'jsonb', nullable: true })
  fallback: object | null;

  @CreateDateColumn({ type: 'timestamptz' })
  createdAt: Date;

  @Column({ type: 'timestamptz', nullable: true })
  finishedAt: Date | null;
}
