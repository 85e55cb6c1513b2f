import type { GenerationError, MessageNotice, MessageStatus } from '@tanya/contract';
import { Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import type { StoredPart } from './stored-parts.js';
import { ThreadEntity } from './thread.entity.js';

@Entity('message')
@Index('message_thread', ['threadId', 'id'])
@Index('message_roots', ['threadId'], { where: 'parent_id is null' })
@Index('message_search', { synchronize: false })
export class MessageEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: number;

  @Column({ type: 'bigint' })
  @ForeignKey(() => ThreadEntity, { onDelete: 'CASCADE' })
  threadId: number;

  /** Id of the preceding message in the tree; null for a root. */
  @Index('message_parent')
  @Column({ type: 'bigint', nullable: true })
  @ForeignKey(() => MessageEntity, { onDelete: 'CASCADE' })
  parentId: number | null;

  /** Id of the owning account; null for guests. First column of the search index. */
  @Column({ type: 'integer', nullable: true })
  userId: number | null;

  @Column({ type: 'text' })
  content: string;

  @Column({ type: 'text', nullable: true })
  reasoning: string | null;

  /** The order of an AI message's parts, see `StoredPart`; null where text and reasoning give them. */
  @Column({ type: 'jsonb', nullable: true })
  parts: StoredPart[] | null;

  @Column({ type: 'boolean' })
  isUserMessage: boolean;

  @Column({ type: 'text', default: 'complete' })
  status: MessageStatus;

  @Column({ type: 'text', nullable: true })
  modelId: string | null;

  @Column({ type: 'uuid', nullable: true })
  generationId: string | null;

  @Column({ type: 'jsonb', nullable: true })
  error: GenerationError | null;

  @Column({ type: 'text', nullable: true })
  notice: string | null;

  /** Whether the built-in demo wrote this message instead of its model. */
  @Column({ type: 'boolean', default: false })
  isDemo: boolean;

  /** The remarks of `notice` one by one; null on messages of earlier versions. */
  @Column({ type: 'jsonb', nullable: true })
  notices: MessageNotice[] | null;

  /** Search vector of the first 50,000 characters, set when the message is final. */
  @Column({ type: 'tsvector', nullable: true, select: false })
  search: string | null;

  @CreateDateColumn({ type: 'timestamptz' })
  createdAt: Date;

  /** Tokens of the last prompt of an answer and of what it wrote, as the provider counted them; null when it did not. */
  @Column({ type: 'integer', nullable: true })
  contextTokens: number | null;
}
