import type { ModelProblem } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { ProviderRegistry } from '../providers/registry.js';
import { ModelEntity } from './model.entity.js';

/** Finds the models that cannot answer, as far as their connections show it. */
@Injectable()
export class ModelProblems {
  constructor(
    @InjectRepository(ModelEntity) private readonly models: Repository<ModelEntity>,
    private readonly registry: ProviderRegistry,
  ) {}

  /** Reads the lists of the connections. Nothing is said about models whose list cannot be read. */
  async list(): Promise<ModelProblem[]> {
    const rows = await this.models.find({ order: { id: 'ASC' } });
    const found = await Promise.all(rows.map((row) => this.problemOf(row)));
    return found.filter((problem) => problem !== null);
  }

  private async problemOf(row: ModelEntity): Promise<ModelProblem | null> {
    const { id, connectionId, kind } = row;
    if (!this.registry.isAvailable(connectionId)) return { id, problem: 'connection_off' };
    const model = { upstreamId: row.upstreamId ?? row.modelId, connectionId, kind };
    if (!this.registry.demo && this.registry.isDemo(model)) return { id, problem: 'demo' };
    const isListed = await this.registry.isListed(model).catch(() => null);
    return isListed === false ? { id, problem: 'not_listed' } : null;
  }
}
