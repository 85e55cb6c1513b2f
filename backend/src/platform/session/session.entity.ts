import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Sessions of an installation without Redis. connect-pg-simple writes the table and fixes its columns. */
@Index('session_account', { synchronize: false })
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
