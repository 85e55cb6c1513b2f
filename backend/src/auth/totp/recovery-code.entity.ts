import { Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** An unused recovery code of an account. The row is deleted when the code is used. */
@Entity('recovery_code')
export class RecoveryCodeEntity {
  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'PK_recovery_code' })
  @ForeignKey('UserEntity', { name: 'FK_recovery_code_user', onDelete: 'CASCADE' })
  userId: number;

  /** SHA-256, hex. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'PK_recovery_code' })
  codeHash: string;
}
