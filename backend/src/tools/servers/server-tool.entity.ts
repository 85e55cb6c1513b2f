import type { ServerToolPolicy, ToolDefinition } from '@tanya/contract';
import { Column, CreateDateColumn, Entity, ForeignKey, PrimaryColumn, Unique } from 'typeorm';
import { ToolServerEntity } from './tool-server.entity.js';

/** A tool of an MCP server, with the definition that an admin has accepted. */
@Entity('server_tool')
@Unique('server_tool_tool_name', ['toolName'])
export class ServerToolEntity {
  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'PK_server_tool' })
  @ForeignKey(() => ToolServerEntity, { name: 'server_tool_server_fk', onDelete: 'CASCADE' })
  serverId: number;

  /** The server's own name. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'PK_server_tool' })
  name: string;

  /** The name for models. */
  @Column({ type: 'text' })
  toolName: string;

  @Column({ type: 'text', default: 'ask' })
  policy: ServerToolPolicy;

  @Column({ type: 'jsonb' })
  accepted: ToolDefinition;

  /** SHA-256 of the accepted definition. */
  @Column({ type: 'text' })
  acceptedHash: string;

  /** The definition that waits for acceptance; null while the listed one is accepted. */
  @Column({ type: 'jsonb', nullable: true })
  changed: ToolDefinition | null;

  @Column({ type: 'text', nullable: true })
  changedHash: string | null;

  /** Whether the last list of the server had it. A tool that returns keeps its policy and its accepted definition. */
  @Column({ type: 'boolean', default: true })
  isListed: boolean;

  @Column({ type: 'integer' })
  position: number;

  @CreateDateColumn({ type: 'timestamptz' })
  createdAt: Date;
}
