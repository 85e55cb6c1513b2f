import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';

@Entity('group_member')
export class GroupMemberEntity {
  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'PK_group_member' })
  userId: number;

  @Index('group_member_group')
  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'PK_group_member' })
  groupId: number;

  @ManyToOne('UserEntity', { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'group_member_user_fk' })
  user?: object;

  @ManyToOne('MemberGroupEntity', { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'group_id', foreignKeyConstraintName: 'group_member_group_fk' })
  group?: object;

  /** The identity provider that put the account into the group; null where an admin did. */
  @Index('group_member_provider')
  @Column({ type: 'integer', nullable: true })
  providerId: number | null;

  @ManyToOne('IdentityProviderEntity', { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'provider_id', foreignKeyConstraintName: 'group_member_provider_fk' })
  provider?: object;
}
