import type { Catalogue, CreateModelRequest } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { AppError, errorWithSentence, refuseField } from '../platform/errors/app-error.js';
import { statement } from '../platform/database/named-parameters.js';
import { causeOf } from '../providers/provider-cause.js';
import { ProviderError } from '../providers/provider-error.js';
import { ProviderRegistry } from '../providers/registry.js';
import { ModelEntity } from './model.entity.js';
import { ModelsService } from './models.service.js';

const fillModalities = statement<{ reported: string; connectionId: number | null }>(`with filled as (
    update model set input_modalities = item."inputModalities",
      output_modalities = coalesce(model.output_modalities, item."outputModalities")
    from jsonb_to_recordset(:reported::jsonb) as item(id text, "inputModalities" text[], "outputModalities" text[])
    where coalesce(model.upstream_id, model.model_id) = item.id and model.input_modalities is null
      and model.connection_id is not distinct from :connectionId::int
    returning model.id)
  select id from filled`);

/** The lists of models of providers, and what they say of the models in the table. */
@Injectable()
export class ModelCatalogue {
  constructor(
    @InjectRepository(ModelEntity) private readonly rows: Repository<ModelEntity>,
    private readonly registry: ProviderRegistry,
    private readonly models: ModelsService,
  ) {}

  /**
   * The models that a connection lists, OpenRouter by default. What it reports of inputs and outputs is kept for models that
   * were added before it was known. @throws AppError with the provider's code, `invalid` for an unknown connection
   */
  async read(connectionId: number | null = null): Promise<Catalogue> {
    const catalogue = await this.listOf(connectionId);
    const known = catalogue.data.filter(({ inputModalities }) => inputModalities);
    const reported = JSON.stringify(
      known.map(({ id, inputModalities, outputModalities }) => ({ id, inputModalities, outputModalities })),
    );
    const filled: unknown[] = await this.rows.manager.query(...fillModalities({ reported, connectionId }));
    if (filled.length > 0) await this.models.announce();
    return catalogue;
  }

  /** What a catalogue that this node has read says of a model; empty without an entry. */
  fieldsOf({ modelId, upstreamId, connectionId }: CreateModelRequest): Partial<ModelEntity> {
    const item = this.registry.cataloguedModel(upstreamId ?? modelId, connectionId ?? null);
    if (item === undefined) return {};
    const { id, name, description, context_length: contextLength, ...capabilities } = item;
    return { contextLength, ...capabilities };
  }

  private async listOf(connectionId: number | null): Promise<Catalogue> {
    try {
      return await this.registry.catalogue(connectionId);
    } catch (error) {
      if (connectionId !== null && !this.registry.isKnown(connectionId))
        throw refuseField('connectionId', 'connection');
      if (error instanceof ProviderError) throw errorWithSentence({ code: error.code, message: causeOf(error) });
      throw new AppError('provider_unreachable', { reason: 'catalogue', cause: error });
    }
  }
}
