import type { ToolState } from '@tanya/contract';
import { Column, CreateDateColumn, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { GenerationEntity } from './generation.entity.js';

/** One call of a tool. Its row is committed before the tool runs, so that no call runs twice. */
@Entity('tool_call')
export class ToolCallEntity {
  @PrimaryColumn({ type: 'uuid' })
  @ForeignKey(() => GenerationEntity, { name: 'tool_call_generation_fk', onDelete: 'CASCADE' })
  generationId: string;

  /** Unique in the generation; the provider's id where that is usable. */
  @PrimaryColumn({ type: 'text' })
  callId: string;

  @Column({ type: 'text' })
  tool: string;

  @Column({ type: 'jsonb' })
  arguments: unknown;

  /** What it means together with the decision stands in `call-states.ts`. */
  @Column({ type: 'text' })
  state: ToolState;

  /** The result or the error, as cut for the part of the message; null until the call has ended. */
  @Column({ type: 'text', nullable: true })
  result: string | null;

  /** The user's decision about a call that asked for it; null without one. */
  @Column({ type: 'boolean', nullable: true })
  decision: boolean | null;

  @CreateDateColumn({ type: 'timestamptz' })
  createdAt: Date;

  @Column({ type: 'timestamptz', nullable: true })
  finishedAt: Date | null;
}
