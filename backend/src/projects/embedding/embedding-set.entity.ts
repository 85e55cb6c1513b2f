import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** Vectors that can be compared: those of one model and one size. */
@Entity('embedding_set')
@Index('embedding_set_model', ['modelId', 'upstreamId', 'size'], { unique: true })
export class EmbeddingSetEntity {
  @PrimaryGeneratedColumn('identity', { type: 'integer', primaryKeyConstraintName: 'PK_embedding_set' })
  id: number;

  @Column({ type: 'text' })
  modelId: string;

  /** The id that the provider knows: another one is another model. */
  @Column({ type: 'text' })
  upstreamId: string;

  /** Numbers of a vector. */
  @Column({ type: 'integer' })
  size: number;

  /** When the model began to send vectors of this size. The newest set of a model is the one that it fills. */
  @Column({ type: 'timestamptz', default: () => 'now()' })
  since: Date;
}
