import type { ToolPart } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { Statements } from '../../../platform/database/statements.js';
import { chunkParameters, type TextChunk } from './generation-store.js';
import { commitCalls, finishCall } from './tool-calls.sql.js';

@Injectable()
export class ToolCallStore {
  constructor(private readonly statements: Statements) {}

  /**
   * Commits calls before they run.
   * @param chunk what the run has written since its last checkpoint
   * @returns false when another node has ended the generation: none of the calls may run
   */
  async commitCalls(generationId: string, calls: readonly ToolPart[], chunk: TextChunk | null): Promise<boolean> {
    const begun = await this.statements.run<{ call_id: string }>(
      ...commitCalls({
        generationId,
        ...chunkParameters(chunk),
        callIds: calls.map((call) => call.callId),
        tools: calls.map((call) => call.tool),
        arguments: calls.map((call) => JSON.stringify(call.args ?? null)),
      }),
    );
    return begun.length === calls.length;
  }

  /** Stores the end of a call. @returns false when another node has ended the generation meanwhile */
  async storeResult(
    generationId: string,
    { callId, state, result, error }: ToolPart,
    chunk: TextChunk | null,
  ): Promise<boolean> {
    const ended = await this.statements.run(
      ...finishCall({ generationId, ...chunkParameters(chunk), callId, state, result: result ?? error ?? null }),
    );
    return ended.length === 1;
  }
}
