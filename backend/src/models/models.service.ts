import {
  DEFAULT_MODEL_ID,
  FALLBACK_MODEL,
  IMAGE_MODEL_IDS,
  MODEL_KINDS,
  type ModelKind,
  type ModelParameters,
  type ModelValues,
  type PublicModel,
} from '@tanya/contract';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { isListedFor, may, type ModelResource, type Verdict, verdictOf } from '../access/may.js';
import type { Asker } from '../identity/identity.js';
import { type SharedTable, SharedTables } from '../platform/bus/shared-tables.js';
import { kindOf } from '../providers/model-kind.js';
import type { ProviderModel } from '../providers/provider.js';
import { inSlices } from '../platform/system/slices.js';
import { ProviderRegistry } from '../providers/registry.js';
import { ModelEntity } from './model.entity.js';
import { marksOf, toPublicModel } from './model-view.js';
import { ModelNames } from './model-names.js';
import { listsReasoning } from '../providers/upstream/model-capabilities.js';

/** A model as runs read it: `MODEL_FIELDS` says what its declared fields mean. */
export interface ChatModel
  extends PublicModel, ModelResource, Pick<ModelValues, 'connectionId' | 'systemPrompt' | 'fallbacks'> {
  contextLength: ModelValues['contextLength'];
  kind: ModelKind;
  /** Whether its parameters are known and have no reasoning, and its list of efforts is empty: it does not reason. */
  neverReasons: boolean;
  /** That of the model, else the public one. */
  upstreamId: string;
  /** Empty without any. */
  parameters: ModelParameters;
}

/** Fields of a model that clients of the API choose by. null: unknown. */
export type ModelDetails = Pick<ModelEntity, 'contextLength' | 'pricing' | 'supportedParameters'> & {
  /** When the model was added here; null for one that no admin has added. */
  createdAt: Date | null;
};

const UNKNOWN_DETAILS: ModelDetails = {
  contextLength: null,
  pricing: null,
  supportedParameters: null,
  createdAt: null,
};

const chatModel = (
  model: PublicModel,
  row: Pick<ModelEntity, 'contextLength' | 'connectionId'> & Partial<ModelEntity>,
): ChatModel => ({
  ...model,
  groupIds: row.groupIds ?? [],
  contextLength: row.contextLength,
  connectionId: row.connectionId,
  upstreamId: row.upstreamId ?? model.modelId,
  systemPrompt: row.systemPrompt ?? null,
  parameters: row.parameters ?? {},
  fallbacks: row.fallbacks ?? [],
  kind: model.kind ?? 'chat',
  neverReasons: row.reasoningEfforts?.length === 0 && listsReasoning(row.supportedParameters ?? null) === false,
});

type LocalModel = PublicModel & Pick<ModelEntity, 'contextLength' | 'groupIds'>;

/** The rows with the names that are shown for them, and with what members see of each. */
interface Rows {
  all: ModelEntity[];
  byId: ReadonlyMap<string, ModelEntity>;
  names: ModelNames;
  views: ReadonlyMap<ModelEntity, PublicModel>;
}

/** Rows of one query. To decode thousands of them, which may name hundreds of groups each, holds the event loop. */
const READ_ROWS = 200;

/**
 * The offered models, cached in process. While a local model server runs, its models replace the chat models of the
 * table without a connection in the list. `find` still returns the replaced models: threads refer to them, and the local
 * server answers them.
 */
@Injectable()
export class ModelsService implements OnModuleInit {
  private readonly cache: SharedTable<Rows>;

  constructor(
    @InjectRepository(ModelEntity) models: Repository<ModelEntity>,
    private readonly registry: ProviderRegistry,
    tables: SharedTables,
  ) {
    const read = async () => {
      const order = { provider: 'ASC', name: 'ASC', id: 'ASC' } as const;
      const all: ModelEntity[] = [];
      // A change in between is read again.
      for (let count = READ_ROWS; count === READ_ROWS;) {
        const rows = await models.find({ order, skip: all.length, take: READ_ROWS });
        all.push(...rows);
        count = rows.length;
      }
      const names = new ModelNames(all);
      const views = new Map<ModelEntity, PublicModel>();
      for await (const row of inSlices(all)) views.set(row, toPublicModel(row, names));
      return { all, byId: new Map(all.map((row) => [row.modelId, row])), names, views };
    };
    this.cache = tables.share([{ table: 'model' }], read);
  }

  async onModuleInit(): Promise<void> {
    await this.cache.load();
  }

  /** Brings a committed change of the table into effect on every node. */
  announce(): Promise<void> {
    return this.cache.announce();
  }

  /** The rows as they are stored at this moment, and the names that are shown for them. */
  async read(): Promise<Pick<Rows, 'all' | 'names'>> {
    await this.cache.load();
    return this.cache.value;
  }

  /** Calls `listener` once other models are offered than before: on every node, after a change of a model or a connection. */
  onChanged(listener: () => void | Promise<void>): void {
    this.cache.onChanged(listener);
  }

  /** For the connections: one that is switched off takes its models out of the offer, a new key adds some. */
  connectionsChanged(): void {
    this.cache.callListeners();
  }

  /** The public fields of the models that are offered to an asker, by kind, those for chat first. */
  list(asker: Asker): PublicModel[] {
    const bound = new Set(this.cache.value.all.flatMap((row) => (row.connectionId === null ? [] : [row.modelId])));
    // A model with a connection is answered there, also while the local server has one of the same name.
    const served = this.localModels();
    const local = served
      .filter(({ modelId }) => !bound.has(modelId))
      .map(({ groupIds, ...model }) => ({ model, groupIds }));
    const replaced = new Set(local.map(({ model }) => model.modelId));
    const listed = this.cache.value.all
      .filter(({ modelId, kind }) => served.length === 0 || bound.has(modelId) || kind !== 'chat')
      .filter(({ modelId }) => !replaced.has(modelId))
      .map((row) => ({ model: this.publicModel(row), groupIds: row.groupIds }));
    const all = [...local, ...listed].toSorted((a, b) => byKind(a.model, b.model));
    if (all.length === 0) return [FALLBACK_MODEL];
    return all.flatMap(({ model, groupIds }) => (isListedFor(asker, { ...model, groupIds }) ? [model] : []));
  }

  /**
   * One model by its id, disabled ones included; null when the id is unknown. `gpt-image-1` and `openai/gpt-image-1` name one
   * model, which may be listed under either of them.
   */
  find(modelId: string): ChatModel | null {
    const row = this.row(modelId) ?? this.row(otherImageId(modelId) ?? '');
    if (row !== undefined) return chatModel(this.publicModel(row), row);
    const local = this.localModels().find((model) => model.modelId === modelId);
    if (local !== undefined) {
      const { contextLength, groupIds } = local;
      return chatModel(local, { contextLength, groupIds, connectionId: null });
    }
    const isFallback = modelId === FALLBACK_MODEL.modelId && this.cache.value.all.length === 0;
    return isFallback ? chatModel(FALLBACK_MODEL, { contextLength: null, connectionId: null }) : null;
  }

  detailsOf(modelId: string): ModelDetails {
    const local = this.localModels().find((model) => model.modelId === modelId);
    const { contextLength, pricing, supportedParameters, createdAt } = this.row(modelId) ?? UNKNOWN_DETAILS;
    return { contextLength: contextLength ?? local?.contextLength ?? null, pricing, supportedParameters, createdAt };
  }

  /** The model that answers an asker's request without a model: the default, else the first that the asker may chat with. */
  defaultModelFor(asker: Asker): string {
    const chosen = this.defaultModelId();
    const model = this.find(chosen);
    if (model === null || isListedFor(asker, model)) return chosen;
    const usable = this.list(asker).find(({ modelId }) => may(asker, { model: this.find(modelId)!, kinds: ['chat'] }));
    return usable?.modelId ?? chosen;
  }

  /** The id of the offered model that is used when a request names none. */
  defaultModelId(): string {
    const row = this.cache.value.all.find(({ isDefault }) => isDefault);
    const chosen = row?.modelId ?? DEFAULT_MODEL_ID;
    const local = this.localModels();
    const isOffered = local.length === 0 || (row?.connectionId ?? null) !== null;
    if (isOffered || local.some(({ modelId }) => modelId === chosen)) return chosen;
    return (local.find(({ kind }) => kind === 'chat') ?? local[0]!).modelId;
  }

  /** The model of the image dialog: the first of `imageModelIds` that the asker may use; null without one. */
  imageModelFor(asker: Asker): string | null {
    const verdicts = new Map(
      this.imageModelIds().map((id) => [id, verdictOf(asker, { model: this.find(id)!, kinds: ['image'] })]),
    );
    // A premium model alone is refused as such.
    const find = (wanted: Verdict) => [...verdicts].find(([, verdict]) => verdict === wanted)?.[0];
    return find('allowed') ?? find('premium') ?? null;
  }

  /** The listed image models of the picker, disabled ones included, `gpt-image-1` first. */
  imageModelIds(): string[] {
    const listed = this.cache.value.all.filter(({ kind, isInPicker }) => kind === 'image' && isInPicker);
    const ids = listed.map(({ modelId }) => modelId);
    return [...IMAGE_MODEL_IDS.filter((id) => ids.includes(id)), ...ids.filter((id) => !IMAGE_MODEL_IDS.includes(id))];
  }

  /** The kind of an id that the table does not have, guessed; null for a listed model. */
  kindOfUnlisted(modelId: string): ModelKind | null {
    return this.row(modelId) === undefined ? kindOf(modelId).kind : null;
  }

  /** The public ids of the models that a connection answers, those without one of their own included where it answers them. */
  answeredBy(connectionId: number): string[] {
    const answersUnbound = this.registry.answersUnbound(connectionId);
    return this.cache.value.all
      .filter((row) => row.connectionId === connectionId || (answersUnbound && row.connectionId === null))
      .map(({ modelId }) => modelId);
  }

  countOf(connectionId: number): number {
    return this.cache.value.all.filter((row) => row.connectionId === connectionId).length;
  }

  private row(modelId: string): ModelEntity | undefined {
    return this.cache.value.byId.get(modelId);
  }

  private publicModel(row: ModelEntity): PublicModel {
    const view = this.cache.value.views.get(row)!;
    return this.registry.isAvailable(row.connectionId) ? view : { ...view, isEnabled: false };
  }

  /** The models of the local server. A row with the same id takes precedence over the server's data. */
  private localModels(): LocalModel[] {
    return this.registry.localModels.map((model) => {
      const row = this.row(model.id);
      const contextLength = row?.contextLength ?? model.contextLength;
      return { ...(row ? this.publicModel(row) : localModel(model)), contextLength, groupIds: row?.groupIds ?? [] };
    });
  }
}

const otherImageId = (modelId: string): string | undefined =>
  IMAGE_MODEL_IDS.includes(modelId) ? IMAGE_MODEL_IDS.find((id) => id !== modelId) : undefined;

const byKind = (a: PublicModel, b: PublicModel): number => MODEL_KINDS.indexOf(a.kind) - MODEL_KINDS.indexOf(b.kind);

/** A model that the local server lists: such a list has chat models alone. */
const localModel = ({ id, name, description, capabilities }: ProviderModel): PublicModel => ({
  modelId: id,
  name: name ?? id,
  provider: 'Local',
  description,
  isEnabled: true,
  isApiEnabled: true,
  isInPicker: true,
  access: 'everyone',
  isPremium: false,
  ...marksOf('chat', capabilities),
});
