import { Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** A stored response of the public API. JSON stands in text columns, because no statement reads inside it. */
@Entity('api_response')
export class ApiResponseEntity {
  /** The id of its generation. */
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'PK_api_response' })
  id: string;

  @Index('api_response_user')
  @Column({ type: 'integer' })
  @ForeignKey('UserEntity', { name: 'FK_api_response_user', onDelete: 'CASCADE' })
  userId: number;

  /** The response that it continues. No foreign key: that one may be deleted before. */
  @Column({ type: 'uuid', nullable: true })
  previousId: string | null;

  @Index('api_response_created')
  @CreateDateColumn({ type: 'timestamptz' })
  createdAt: Date;

  /** JSON of the fields of the request that every response repeats. */
  @Column({ type: 'text' })
  settings: string;

  /** JSON of the messages of its own request, without those of earlier responses. */
  @Column({ type: 'text' })
  input: string;

  /** JSON of how it ended; null while it runs. */
  @Column({ type: 'text', nullable: true })
  state: string | null;

  /** Characters of the settings, the input and the state. */
  @Column({ type: 'integer' })
  characters: number;

  /** Characters of the settings, which no later response reads. */
  @Column({ type: 'integer', default: 0 })
  settingsCharacters: number;
}
