import { Column, CreateDateColumn, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import { USD_COLUMN } from '../platform/database/usd-column.js';

/** Unique index of the names, compared without case. */
export const UNIQUE_GROUP_NAME = 'member_group_name';

@Entity('member_group')
@Index(UNIQUE_GROUP_NAME, { synchronize: false })
export class MemberGroupEntity {
  @PrimaryGeneratedColumn('identity', { type: 'integer', primaryKeyConstraintName: 'PK_member_group' })
  id: number;

  @Column({ type: 'text' })
  name: string;

  /** The name of the group at an identity provider. */
  @Column({ type: 'text', nullable: true })
  externalName: string | null;

  /** Messages per quota period of each member in place of the plan's; -1 is unlimited. */
  @Column({ type: 'integer', nullable: true })
  quotaOverride: number | null;

  /** USD of each member in place of the plan's budget, a decimal string; -1 is unlimited. */
  @Column(USD_COLUMN)
  budgetUsd: string | null;

  @CreateDateColumn({ type: 'timestamptz' })
  createdAt: Date;
}
