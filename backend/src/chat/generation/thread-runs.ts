import type { Instructions, Message } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { type Asker, ownerUserId } from '../../identity/identity.js';
import { type ChatModel, ModelsService } from '../../models/models.service.js';
import { AppError } from '../../platform/errors/app-error.js';
import { ProviderRegistry } from '../../providers/registry.js';
import { ToolRegistry } from '../../tools/tool-registry.js';
import type { Tool } from '../../tools/tool.js';
import { CallImages } from './call-images.js';
import { readsImages } from './prompt/prompt.js';
import { effortFor, withDefaults } from './default-parameters.js';
import { type PromptPath, PromptSource } from './prompt/prompt-source.js';
import { GenerationEngine } from './run/generation-engine.js';
import { askerOf } from './run/tool-calls.js';
import type { GenerationRun } from './live/generation-run.js';
import type { AnswerTarget, RunSpec, RunTools, SuspendedRun } from './live/run-spec.js';
import { SummaryWriter } from './summary-writer.js';
import { TitleWriter } from './title-writer.js';

/** A generation in a thread, when its run starts or continues. */
interface ThreadGeneration extends Pick<
  RunSpec,
  'asker' | 'generationId' | 'reasoningEffort' | 'pricing' | 'isBudgeted' | 'lacksTitle' | 'isTemporary' | 'showsCause'
> {
  target: AnswerTarget;
  userMessage: Message;
  /** The custom instructions that apply; null without any. */
  instructions: Instructions | null;
  projectId: number | null;
}

interface StartedGeneration extends ThreadGeneration {
  model: ChatModel;
  offered: Tool[];
  /** Whether fallbacks of the model may answer. */
  mayFallBack: boolean;
}

interface ContinuedGeneration extends ThreadGeneration {
  modelId: string;
  suspended: SuspendedRun;
}

/** The properties of a model that a run needs. */
type ThreadModel = Pick<ChatModel, 'modelId' | 'upstreamId' | 'connectionId' | 'contextLength' | 'isImage' | 'vision'> &
  Partial<Pick<ChatModel, 'systemPrompt' | 'parameters'>>;

/** Starts and continues the runs of generations in threads: prompt, tools, fallbacks, and the title afterwards. */
@Injectable()
export class ThreadRuns {
  constructor(
    private readonly engine: GenerationEngine,
    private readonly prompts: PromptSource,
    private readonly tools: ToolRegistry,
    private readonly images: CallImages,
    private readonly models: ModelsService,
    private readonly titles: TitleWriter,
    private readonly providers: ProviderRegistry,
    private readonly summaries: SummaryWriter,
  ) {}

  startRun({ model, offered: wanted, mayFallBack, ...generation }: StartedGeneration): void {
    const offered = this.withoutForeignTools(model, wanted);
    const maxSteps = this.tools.maxSteps(generation.asker);
    const supported = model.supportsTools ?? null;
    const hasTools = offered.length > 0 || (generation.projectId !== null && !model.isImage);
    const run = this.launch(generation, model, {
      tools: hasTools ? this.toolsOf(generation, { offered, maxSteps, supported }) : undefined,
      fallback: mayFallBack ? this.fallbackOf(generation, model) : undefined,
    });
    // Left out. The only tool that a provider runs is the search.
    if (offered.length < wanted.length) run.notices.add({ code: 'search_unsupported' });
  }

  /** Continues a suspended generation. Tools that the asker may no longer use are left out. */
  async continueRun({ modelId, suspended, ...generation }: ContinuedGeneration): Promise<void> {
    // If the model was deleted meanwhile, the answer ends before its next step.
    const known = this.models.find(modelId) ?? {
      modelId,
      upstreamId: modelId,
      connectionId: null,
      contextLength: null,
    };
    // An answer with calls is text, even if the model has become an image model.
    const model = { ...known, isImage: false };
    const usable: Tool[] = [];
    for (const name of suspended.tools.offered) usable.push(...(await this.ifUsable(generation.asker, name)));
    const offered = this.withoutForeignTools(model, usable);
    this.launch(generation, model, { tools: this.toolsOf(generation, { ...suspended.tools, offered }), suspended });
  }

  private launch(
    generation: ThreadGeneration,
    model: ThreadModel,
    rest: Pick<RunSpec, 'tools' | 'fallback' | 'suspended'>,
  ): GenerationRun {
    const { userMessage, ...spec } = generation;
    const { modelId, upstreamId, connectionId, isImage } = model;
    const asked = { modelId, upstreamId, connectionId, isImage, ...this.promptAndDefaults(generation, model) };
    const run = this.engine.launch({ ...spec, ...rest, ...asked });
    if (spec.lacksTitle) {
      void run.ended.then((end) => this.titles.suggest(askerOf(run), spec.target.threadId, model, userMessage, end));
    }
    return run;
  }

  private fallbackOf(generation: ThreadGeneration, { fallbacks: modelIds }: ChatModel): RunSpec['fallback'] {
    if (modelIds.length === 0) return undefined;
    const specFor = (another: ChatModel) => ({
      ...this.promptAndDefaults(generation, another),
      reasoningEffort: effortFor(another, generation.reasoningEffort),
    });
    return { modelIds, specFor };
  }

  /** The prompt and the default parameters of a model. */
  private promptAndDefaults(
    { userMessage, instructions, projectId, asker, target }: ThreadGeneration,
    model: ThreadModel,
  ) {
    const { modelId, contextLength, isImage, systemPrompt: modelPrompt = null } = model;
    const takesImages = readsImages(model);
    // A model that draws reads the message alone.
    const frame = {
      modelId,
      contextLength,
      takesImages,
      modelPrompt,
      instructions,
      projectId: isImage ? null : projectId,
    };
    const prompt: RunSpec['prompt'] = (owner, shrink, { signal, citations, canCall }) => {
      const thread = {
        asker: { ...asker, owner, userId: ownerUserId(owner) },
        threadId: target.threadId,
        model,
        signal,
      };
      const shorten = (path: PromptPath) => this.summaries.shorten(thread, path);
      return this.prompts.load(owner, userMessage, { ...frame, citations, canCall, shrink, shorten });
    };
    return { ...(isImage ? {} : withDefaults({}, model.parameters)), prompt };
  }

  /** Leaves out the tools that only another provider than the model's could run. */
  private withoutForeignTools({ connectionId }: ThreadModel, tools: readonly Tool[]): Tool[] {
    return tools.filter(({ hosted }) => !hosted || hosted.provider === this.providers.chatProvider(connectionId));
  }

  private toolsOf(
    { generationId, target: { threadId } }: ThreadGeneration,
    { offered, maxSteps, supported }: Pick<RunTools, 'offered' | 'maxSteps' | 'supported'>,
  ): RunTools {
    const drawImage: RunTools['drawImage'] = (image) => this.images.draw({ ...image, threadId, generationId });
    return { offered, maxSteps, supported, drawImage };
  }

  private async ifUsable(asker: Asker, name: string): Promise<Tool[]> {
    try {
      return await this.tools.offered(asker, [name]);
    } catch (error) {
      if (error instanceof AppError && error.code === 'tool_not_found') return [];
      throw error;
    }
  }
}
