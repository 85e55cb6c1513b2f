import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** Preferences of an account: the last chosen model and custom instructions. Accounts without a row have defaults. */
@Entity('user_preference')
export class UserPreferenceEntity {
  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'PK_user_preference' })
  @ForeignKey('UserEntity', { name: 'FK_user_preference_user', onDelete: 'CASCADE' })
  userId: number;

  /** The model chosen last. Not a foreign key: a model that was deleted and added again is the same choice. */
  @Column({ type: 'text', nullable: true })
  modelId: string | null;

  @Column({ type: 'text', default: '' })
  aboutMe: string;

  @Column({ type: 'text', default: '' })
  howToAnswer: string;

  /** Whether the instructions apply to threads without a choice of their own. */
  @Column({ type: 'boolean', default: true })
  useInstructions: boolean;
}
