import { Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** A share link with its snapshot. Files of the snapshot are rows of `file` with `share_id`. */
@Entity('share')
@Index('share_expiry', ['expiresAt'], { where: 'expires_at is not null' })
export class ShareEntity {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'PK_share' })
  id: string;

  /** Readable, because the owner's list shows the link again. The token opens only the contents of this row. */
  @Index('share_token', { unique: true })
  @Column({ type: 'text' })
  token: string;

  @Index('share_user')
  @Column({ type: 'integer' })
  @ForeignKey('UserEntity', { name: 'FK_share_user', onDelete: 'CASCADE' })
  userId: number;

  @Column({ type: 'text' })
  title: string;

  /** JSON of a list of `SharedMessage`. */
  @Column({ type: 'text', select: false })
  messages: string;

  @Column({ type: 'integer', default: 0 })
  characters: number;

  @Column({ type: 'integer' })
  messageCount: number;

  @CreateDateColumn({ type: 'timestamptz' })
  createdAt: Date;

  @Column({ type: 'timestamptz', nullable: true })
  expiresAt: Date | null;
}
