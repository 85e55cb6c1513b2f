import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

@Entity('group_member')
export class GroupMemberEntity {
  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'PK_group_member' })
  @ForeignKey('UserEntity', { name: 'group_member_user_fk', onDelete: 'CASCADE' })
  userId: number;

  @Index('group_member_group')
  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'PK_group_member' })
  @ForeignKey('MemberGroupEntity', { name: 'group_member_group_fk', onDelete: 'CASCADE' })
  groupId: number;

  /** The identity provider that put the account into the group; null where an admin did. */
  @Index('group_member_provider')
  @Column({ type: 'integer', nullable: true })
  @ForeignKey('IdentityProviderEntity', { name: 'group_member_provider_fk', onDelete: 'CASCADE' })
  providerId: number | null;
}
