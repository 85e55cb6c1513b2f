import { Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { MessageEntity } from './message.entity.js';
import { ThreadEntity } from './thread.entity.js';

/** What a model wrote of the path up to a message, for the prompts of the paths below it. The messages stay as they are. */
@Entity('thread_summary')
export class ThreadSummaryEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: number;

  @Index('thread_summary_thread')
  @Column({ type: 'bigint' })
  @ForeignKey(() => ThreadEntity, { name: 'thread_summary_thread_fk', onDelete: 'CASCADE' })
  threadId: number;

  /** The last message that it covers. */
  @Column({ type: 'bigint', unique: true })
  @ForeignKey(() => MessageEntity, { name: 'thread_summary_message_fk', onDelete: 'CASCADE' })
  upToMessageId: number;

  /** null once it was undone: the row then says at which size. */
  @Column({ type: 'text', nullable: true })
  text: string | null;

  /** Tokens of the prompt without it and with it. */
  @Column({ type: 'integer' })
  tokensBefore: number;

  @Column({ type: 'integer' })
  tokensAfter: number;

  /** Decimal string in USD; null when unknown. */
  @Column({ type: 'numeric', precision: 20, scale: 12, nullable: true })
  costUsd: string | null;

  @Column({ type: 'text' })
  modelId: string;

  @CreateDateColumn({ type: 'timestamptz' })
  createdAt: Date;
}
