import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Durable rate limits of an installation without Redis. rate-limiter-flexible writes the table and fixes its columns. */
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
