import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { GenerationEntity } from './generation.entity.js';

/** Text of a running generation, appended about once a second and folded into the message at the end. */
@Entity('generation_chunk')
export class GenerationChunkEntity {
  @PrimaryColumn({ type: 'uuid' })
  generationId: string;

  @ManyToOne(() => GenerationEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'generation_id' })
  generation: unknown;

  /** The last seq whose text it holds. */
  @PrimaryColumn({ type: 'integer' })
  seq: number;

  @Column({ type: 'text' })
  text: string;

  @Column({ type: 'text' })
  reasoning: string;
}
