import type { ProjectRole } from '@tanya/contract';
import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** A person of a project, its owner included. */
@Entity('project_member')
@Index('project_member_owner', ['projectId'], { unique: true, where: "role = 'owner'" })
export class ProjectMemberEntity {
  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'PK_project_member' })
  @ForeignKey('ProjectEntity', { name: 'project_member_project_fk', onDelete: 'CASCADE' })
  projectId: number;

  @Index('project_member_user')
  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'PK_project_member' })
  @ForeignKey('UserEntity', { name: 'project_member_user_fk', onDelete: 'CASCADE' })
  userId: number;

  @Column({ type: 'text' })
  role: ProjectRole;

  /** Since when the person has the role: the oldest editor follows an owner whose account is deleted. */
  @Column({ type: 'timestamptz', default: () => 'now()' })
  since: Date;
}
