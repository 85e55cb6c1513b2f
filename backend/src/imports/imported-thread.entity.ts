import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { ImportEntity } from './import.entity.js';

/** Index that allows each conversation of an export once per account. */
export const ONE_THREAD_PER_CONVERSATION = 'imported_thread_key';

/** The origin of an imported thread. Deleted with the thread, after which the conversation can be imported again. */
@Entity('imported_thread')
@Index(ONE_THREAD_PER_CONVERSATION, ['userId', 'sourceKey'], { unique: true })
@Index('imported_thread_import', ['importId', 'position'])
export class ImportedThreadEntity {
  @PrimaryColumn({ type: 'bigint', primaryKeyConstraintName: 'PK_imported_thread' })
  @ForeignKey('ThreadEntity', { name: 'FK_imported_thread_thread', onDelete: 'CASCADE' })
  threadId: number;

  @Column({ type: 'uuid' })
  @ForeignKey(() => ImportEntity, { name: 'FK_imported_thread_import', onDelete: 'CASCADE' })
  importId: string;

  /** Position of the conversation in the file. */
  @Column({ type: 'integer' })
  position: number;

  @Column({ type: 'integer' })
  userId: number;

  /** Program and id of the conversation. */
  @Column({ type: 'text' })
  sourceKey: string;
}
