import type { ProjectRole } from '@tanya/contract';
import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';

/** A person of a project, its owner included. */
@Entity('project_member')
@Index('project_member_owner', ['projectId'], { unique: true, where: "role = 'owner'" })
export class ProjectMemberEntity {
  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'PK_project_member' })
  projectId: number;

  @Index('project_member_user')
  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'PK_project_member' })
  userId: number;

  @ManyToOne('ProjectEntity', { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'project_id', foreignKeyConstraintName: 'project_member_project_fk' })
  project?: object;

  @ManyToOne('UserEntity', { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'project_member_user_fk' })
  user?: object;

  @Column({ type: 'text' })
  role: ProjectRole;

  /** Since when the person has the role: the oldest editor follows an owner whose account is deleted. */
  @Column({ type: 'timestamptz', default: () => 'now()' })
  since: Date;
}
