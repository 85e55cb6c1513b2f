import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import type { PartEntry } from '../../messages/stored-parts.js';
import { GenerationEntity } from './generation.entity.js';

/** Text of a running generation, appended by each checkpoint and deleted at the end. */
@Entity('generation_chunk')
export class GenerationChunkEntity {
  @PrimaryColumn({ type: 'uuid' })
  @ForeignKey(() => GenerationEntity, { onDelete: 'CASCADE' })
  generationId: string;

  /** The last sequence number whose text is in the chunk. */
  @PrimaryColumn({ type: 'integer' })
  seq: number;

  @Column({ type: 'text' })
  text: string;

  @Column({ type: 'text' })
  reasoning: string;

  /** The parts that changed since the chunk before, as pairs of index and part; null while text and reasoning give them. */
  @Column({ type: 'jsonb', nullable: true })
  parts: PartEntry[] | null;

  /** Whether it replaces all chunks before it, whose text turned out to be something else. */
  @Column({ type: 'boolean', default: false })
  isWhole: boolean;
}
