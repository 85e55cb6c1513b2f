import type { Rating } from '@tanya/contract';
import { Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { MessageEntity } from './message.entity.js';

/** The owner's rating of an AI message. A message has one owner, and so at most one rating. */
@Entity('message_feedback')
@Index('message_feedback_model', ['modelId', 'rating'])
export class MessageFeedbackEntity {
  @PrimaryColumn({ type: 'bigint', primaryKeyConstraintName: 'PK_message_feedback' })
  @ForeignKey(() => MessageEntity, { name: 'FK_message_feedback_message', onDelete: 'CASCADE' })
  messageId: number;

  @Column({ type: 'text' })
  rating: Rating;

  @Column({ type: 'text', nullable: true })
  reason: string | null;

  /**
   * The model of the answer, so that ratings are counted without reading messages. null for a rating that came with an
   * import: it says nothing about the models of this installation.
   */
  @Column({ type: 'text', nullable: true })
  modelId: string | null;

  @CreateDateColumn({ type: 'timestamptz' })
  createdAt: Date;
}
