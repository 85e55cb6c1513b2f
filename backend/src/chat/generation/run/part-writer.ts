import type { MessagePart, SourcePart, ToolPart } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { fileIdOf } from '../../../files/file-name.js';
import { toStorableText } from '../../../platform/json/storable-json.js';
import type { ToolResult, ToolSource } from '../../../tools/tool.js';
import { truncate } from '../live/delta-text.js';
import type { GenerationRun } from '../live/generation-run.js';
import { RunEmitter } from './run-emitter.js';
import { sourcePart, sourceText, withResult } from './tool-part.js';

/** Sources and images of one message. */
const MAX_SOURCES = 100;
const MAX_IMAGES = 16;

const MAX_ALT = 1_000;

/** Writes tool, source and image parts of runs: numbers sources, bounds sizes, and emits each change. */
@Injectable()
export class PartWriter {
  constructor(private readonly emitter: RunEmitter) {}

  add(run: GenerationRun, part: MessagePart): void {
    this.emitter.emit(run, run.addPart(part));
  }

  /** Replaces the part of a call. */
  change(run: GenerationRun, call: ToolPart): ToolPart {
    this.emitter.emit(run, run.changeCall(call));
    return call;
  }

  /** Adds a source, unless the message has its address. @returns its part; null for one that cannot be shown */
  addSource(run: GenerationRun, source: ToolSource): SourcePart | null {
    const known = run.parts.sources;
    const part = sourcePart(source, known.length + 1);
    if (part === null) return null;
    const same = known.find(({ url }) => url === part.url);
    if (same !== undefined) return same;
    if (known.length === MAX_SOURCES) return null;
    this.add(run, part);
    return part;
  }

  /** Ends a call: its sources and images become parts, and its own part gets the result with the numbered sources. */
  end(run: GenerationRun, callId: string, result: ToolResult, ms: number): ToolPart {
    const sources = (result.sources ?? []).flatMap((source) => this.addSource(run, source) ?? []);
    const text = [result.text, ...sources.map(sourceText)].filter(Boolean).join('\n\n');
    const call = run.parts.call(callId)!;
    const { isError, isCut } = result;
    const ended = { ...withResult({ ...call, ms }, { text, isError, isCut }, run.parts.resultLength) };
    this.emitter.emit(run, run.changeCall(ended));
    for (const image of result.images ?? []) this.addImage(run, image);
    return ended;
  }

  private addImage(run: GenerationRun, { url, alt }: { url: string; alt: string }): void {
    if (!url.startsWith('/api/files/') || fileIdOf(url) === null) return;
    if (run.parts.count('image') === MAX_IMAGES) return;
    this.add(run, { type: 'image', url, alt: truncate(toStorableText(alt), MAX_ALT) });
  }
}
