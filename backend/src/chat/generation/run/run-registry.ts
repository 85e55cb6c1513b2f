import { Injectable } from '@nestjs/common';
import { Bus } from '../../../platform/bus/bus.js';
import { GenerationMetrics } from './generation-metrics.js';
import type { GenerationRun } from './generation-run.js';
import { generationStop } from '../ports/generation-topics.js';
import { ownerAdopted } from '../../../identity/identity-topics.js';

/** The runs of this node. */
@Injectable()
export class RunRegistry {
  private readonly runs = new Map<string, GenerationRun>();
  /** Ids in admission: their rows may be committed before their runs start. */
  private readonly reserved = new Set<string>();

  constructor(bus: Bus, metrics: GenerationMetrics) {
    metrics.reportRunning(() => this.runs.size);
    bus.subscribe(generationStop, ({ generationId, status }) =>
      this.runs.get(generationId)?.abort(status ?? 'stopped'),
    );
    bus.subscribe(ownerAdopted, ({ from, to }) => {
      for (const run of this.runs.values()) if (run.owner === from) run.owner = to;
    });
  }

  /** Reserves an id before its row is committed, so that the reaper does not take the row for an orphan. */
  reserve(generationId: string): void {
    this.reserved.add(generationId);
  }

  /** Removes the reservation of a failed admission. */
  release(generationId: string): void {
    this.reserved.delete(generationId);
  }

  add(run: GenerationRun): void {
    this.runs.set(run.id, run);
    this.reserved.delete(run.id);
  }

  remove(run: GenerationRun): void {
    this.runs.delete(run.id);
  }

  find(generationId: string): GenerationRun | undefined {
    return this.runs.get(generationId);
  }

  get all(): GenerationRun[] {
    return [...this.runs.values()];
  }

  get size(): number {
    return this.runs.size;
  }

  /** The ids of all runs and reservations. */
  get ids(): string[] {
    return [...this.runs.keys(), ...this.reserved];
  }
}
