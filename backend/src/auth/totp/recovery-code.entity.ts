import { Entity, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';

/** An unused recovery code of an account. The row is deleted when the code is used. */
@Entity('recovery_code')
export class RecoveryCodeEntity {
  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'PK_recovery_code' })
  userId: number;

  @ManyToOne('UserEntity', { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'FK_recovery_code_user' })
  user: unknown;

  /** SHA-256, hex. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'PK_recovery_code' })
  codeHash: string;
}
