import { Entity, PrimaryColumn } from 'typeorm';

/** Settled usage records that the rollup does not contain yet. Triggers of `usage_record` add them (`../functions.sql`). */
@Entity('usage_unrolled')
export class UsageUnrolledEntity {
  /** No foreign key: it would be checked with every settlement. */
  @PrimaryColumn({ type: 'bigint', primaryKeyConstraintName: 'PK_usage_unrolled' })
  recordId: number;
}
