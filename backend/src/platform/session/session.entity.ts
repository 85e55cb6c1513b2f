import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Logins, where no Redis keeps them; written by connect-pg-simple, which fixes the columns. */
@Entity('session')
export class SessionEntity {
  @PrimaryColumn({ type: 'varchar' })
  sid: string;

  @Column({ type: 'json' })
  sess: object;

  @Index('session_expire')
  @Column({ type: 'timestamp', precision: 6 })
  expire: Date;
}
