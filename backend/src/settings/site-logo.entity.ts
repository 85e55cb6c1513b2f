import { Check, Column, Entity, PrimaryColumn, UpdateDateColumn } from 'typeorm';

/** The logo of the installation, in one row; no row for the product's own. */
@Entity('site_logo')
@Check('site_logo_one_row', 'id = 1')
export class SiteLogoEntity {
  @PrimaryColumn({ type: 'integer', default: 1, primaryKeyConstraintName: 'PK_site_logo' })
  id: number;

  /** Media type. */
  @Column({ type: 'text' })
  type: string;

  @Column({ type: 'bytea' })
  bytes: Buffer;

  /** Another one for other bytes. */
  @Column({ type: 'text' })
  version: string;

  @UpdateDateColumn({ type: 'timestamptz' })
  updatedAt: Date;
}
