import type { AccessMode, ConnectionFault, LeftOutTool, Plan } from '@tanya/contract';
import { Column, CreateDateColumn, Entity, Index, PrimaryGeneratedColumn, UpdateDateColumn } from 'typeorm';

/** Unique index of the names, compared without case. */
export const UNIQUE_SERVER_NAME = 'tool_server_name';

export interface StoredServerFailure {
  fault: ConnectionFault;
  message: string;
}

/** An MCP server with tools for models. */
@Entity('tool_server')
@Index(UNIQUE_SERVER_NAME, { synchronize: false })
export class ToolServerEntity {
  @PrimaryGeneratedColumn('identity', { type: 'integer', primaryKeyConstraintName: 'PK_tool_server' })
  id: number;

  @Column({ type: 'text' })
  name: string;

  /** Beginning of the names of its tools. Fixed, so that a new name of the server renames no tool. */
  @Column({ type: 'text' })
  slug: string;

  @Column({ type: 'text' })
  url: string;

  @Column({ type: 'text', array: true, default: '{}' })
  headerNames: string[];

  /** JSON of all headers, sealed under APP_SECRET; null without headers. */
  @Column({ type: 'text', nullable: true })
  headersSealed: string | null;

  @Column({ type: 'text', array: true })
  plans: Plan[];

  @Column({ type: 'text', default: 'everyone' })
  access: AccessMode;

  /** Empty unless `access` is `groups`, as those of a model. */
  @Column({ type: 'integer', array: true, default: '{}' })
  groupIds: number[];

  @Column({ type: 'integer', default: 0 })
  leftOut: number;

  /** The first of the tools that are left out. */
  @Column({ type: 'jsonb', default: [] })
  leftOutTools: LeftOutTool[];

  @Column({ type: 'jsonb', nullable: true })
  lastError: StoredServerFailure | null;

  @Column({ type: 'timestamptz', nullable: true })
  lastErrorAt: Date | null;

  @Column({ type: 'timestamptz', nullable: true })
  lastSuccessAt: Date | null;

  @CreateDateColumn({ type: 'timestamptz' })
  createdAt: Date;

  @UpdateDateColumn({ type: 'timestamptz' })
  updatedAt: Date;
}
