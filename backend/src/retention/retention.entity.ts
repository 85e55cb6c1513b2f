import type { RetentionRules } from '@tanya/contract';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** How long threads stay. One row, whose id is 1. */
@Entity('retention')
export class RetentionEntity implements RetentionRules {
  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'PK_retention' })
  id: number;

  @Column({ type: 'integer', nullable: true, default: 1 })
  guest: number | null;

  @Column({ type: 'integer', nullable: true })
  free: number | null;

  @Column({ type: 'integer', nullable: true })
  premium: number | null;

  @Column({ type: 'boolean', default: true })
  exemptPinned: boolean;

  /** The rules that hold until `effectiveAt`; null when those of the columns hold. */
  @Column({ type: 'jsonb', nullable: true })
  before: RetentionRules | null;

  @Column({ type: 'timestamptz', nullable: true })
  effectiveAt: Date | null;

  /** The account up to which the mails of the notice are sent, by id; null when none is due. */
  @Column({ type: 'integer', nullable: true })
  mailedTo: number | null;

  /** When the last sweep ended. */
  @Column({ type: 'timestamptz', nullable: true })
  sweptAt: Date | null;
}
