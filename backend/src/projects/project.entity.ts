import { Column, CreateDateColumn, Entity, ForeignKey, PrimaryGeneratedColumn } from 'typeorm';

@Entity('project')
export class ProjectEntity {
  @PrimaryGeneratedColumn('identity', { type: 'integer', primaryKeyConstraintName: 'PK_project' })
  id: number;

  @Column({ type: 'text' })
  name: string;

  /** Part of every prompt of its threads; '' for none. */
  @Column({ type: 'text', default: '' })
  instructions: string;

  /** The model of its new threads; null for the site's default. It may no longer be usable. */
  @Column({ type: 'text', nullable: true })
  modelId: string | null;

  /** The tools of its new threads. Some may no longer be usable. */
  @Column({ type: 'text', array: true, default: () => "'{}'" })
  tools: string[];

  /** The set of vectors in which its files are searched; null without vectors. */
  @Column({ type: 'integer', nullable: true })
  @ForeignKey('EmbeddingSetEntity', { name: 'project_embedding_set_id_fk' })
  embeddingSetId: number | null;

  @CreateDateColumn({ type: 'timestamptz' })
  createdAt: Date;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  updatedAt: Date;
}
