import type { ImportOutcome, ImportRemark } from '@tanya/contract';
import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { ImportEntity } from './import.entity.js';

@Entity('import_item')
export class ImportItemEntity {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'PK_import_item' })
  importId: string;

  /** Position in the file, from 1. */
  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'PK_import_item' })
  position: number;

  @ManyToOne(() => ImportEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'import_id', foreignKeyConstraintName: 'FK_import_item_import' })
  import: unknown;

  @Column({ type: 'text' })
  title: string;

  @Column({ type: 'text' })
  outcome: ImportOutcome;

  @Column({ type: 'jsonb', nullable: true })
  reason: ImportRemark | null;
}
