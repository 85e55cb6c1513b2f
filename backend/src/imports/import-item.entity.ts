import type { ImportOutcome, ImportRemark } from '@tanya/contract';
import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { ImportEntity } from './import.entity.js';

@Entity('import_item')
export class ImportItemEntity {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'PK_import_item' })
  @ForeignKey(() => ImportEntity, { name: 'FK_import_item_import', onDelete: 'CASCADE' })
  importId: string;

  /** Position in the file, from 1. */
  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'PK_import_item' })
  position: number;

  @Column({ type: 'text' })
  title: string;

  @Column({ type: 'text' })
  outcome: ImportOutcome;

  @Column({ type: 'jsonb', nullable: true })
  reason: ImportRemark | null;
}
