import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Counts of failed logins, where no Redis keeps them; written by rate-limiter-flexible, which fixes the columns. */
@Entity('rate_limit')
export class RateLimitEntity {
  @PrimaryColumn({ type: 'text' })
  key: string;

  @Column({ type: 'integer', default: 0 })
  points: number;

  /** ms since 1970. */
  @Column({ type: 'bigint', nullable: true })
  expire: number | null;
}
