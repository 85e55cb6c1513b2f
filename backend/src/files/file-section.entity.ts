import type { SectionKind } from '@tanya/contract';
import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** A part of a document with its own place: a page, a slide, a sheet, or what stands below a heading. */
@Entity('file_section')
export class FileSectionEntity {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'PK_file_section' })
  @ForeignKey('FileEntity', { name: 'FK_file_section_file', onDelete: 'CASCADE' })
  fileId: string;

  /** From 0, in the order of the document. */
  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'PK_file_section' })
  index: number;

  @Column({ type: 'text' })
  kind: SectionKind;

  /** Such as `page 3`; '' for a part without a heading. */
  @Column({ type: 'text' })
  label: string;

  /** '' for a page of a PDF without text. */
  @Column({ type: 'text' })
  text: string;

  /**
   * Bytes of the page's picture, which stands in `FileEntity.picturesId` behind those of the sections before it. 0 for a
   * page that says more than its text and has no picture; null for all other sections.
   */
  @Column({ type: 'integer', nullable: true })
  picture: number | null;
}
