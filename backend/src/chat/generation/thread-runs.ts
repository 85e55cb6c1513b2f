import type { ReasoningEffort } from '@tanya/contract';
import { Inject, Injectable } from '@nestjs/common';
import { TIMINGS, type Timings } from '../../config/timings.js';
import type { Asker } from '../../identity/identity.js';
import { type ChatModel, ModelsService } from '../../models/models.service.js';
import { retryWhileStorageIsAway } from '../../platform/resilience/storage-retries.js';
import { ProviderRegistry } from '../../providers/registry.js';
import { ToolRegistry } from '../../tools/tool-registry.js';
import type { Tool } from '../../tools/tool.js';
import type { AdmittedAnswer } from './admission/admission-control.js';
import type { DecidedAnswer } from './approvals/approvals.service.js';
import { CallImages } from './call-images.js';
import { GenerationEngine } from './run/generation-engine.js';
import type { GenerationRun } from './live/generation-run.js';
import { effortFor, withDefaults } from './live/request-parameters.js';
import type { ImageSpec, MessageSpec, RunThread, RunTools } from './live/run-spec.js';
import { TitleWriter } from './title-writer.js';

/** How an answer is to be written. */
export interface AskedRun {
  model: ChatModel;
  reasoningEffort?: ReasoningEffort;
  tools: Tool[];
  /** Whether the fallbacks of the model may answer; true by default. */
  mayFallBack?: boolean;
}

/** Starts and continues the runs of generations in threads: tools, fallbacks, and the title afterwards. */
@Injectable()
export class ThreadRuns {
  constructor(
    @Inject(TIMINGS) private readonly timings: Timings,
    private readonly engine: GenerationEngine,
    private readonly tools: ToolRegistry,
    private readonly images: CallImages,
    private readonly models: ModelsService,
    private readonly titles: TitleWriter,
    private readonly providers: ProviderRegistry,
  ) {}

  /** Starts the run of an answer that was admitted. */
  start(asker: Asker, admitted: AdmittedAnswer, asked: AskedRun): void {
    const { model, reasoningEffort, tools, mayFallBack = true } = asked;
    const { generationId, isBudgeted, pricing } = admitted;
    const thread = { ...admitted.thread, showsCause: asker.isAdmin };
    const common = { generationId, asker, isBudgeted, thread };
    const offered = this.providers.withoutForeignTools(model, tools);
    const mayCall = offered.length > 0 || thread.projectId !== null;
    const run =
      model.kind === 'image'
        ? this.launchThenTitle({ ...common, kind: 'image', model: { ...model, pricing, parameters: {} }, image: null })
        : this.launchThenTitle({
            ...common,
            kind: 'message',
            model: { ...model, pricing, parameters: withDefaults({ reasoningEffort }, model.parameters) },
            requested: { reasoningEffort },
            fallbacks: mayFallBack ? model.fallbacks : [],
            tools: mayCall ? this.toolsOf(common, offered, this.tools.maxSteps(asker)) : undefined,
          });
    // Left out. The only tool that a provider runs is the search.
    if (offered.length < tools.length) run.notices.add({ code: 'search_unsupported' });
  }

  /** Continues an answer that waited. Tools that the asker may no longer use are left out. */
  async continueRun(decided: DecidedAnswer): Promise<void> {
    const { generationId, asker, modelId, thread, saved, checkpoint } = decided;
    // If the model was deleted meanwhile, the answer ends before its next step.
    const known = this.models.find(modelId) ?? {
      modelId,
      upstreamId: modelId,
      connectionId: null,
      contextLength: null,
      reasoningEfforts: [],
      parameters: {},
    };
    const timeoutMs = this.timings.settleRetry;
    const usable = await retryWhileStorageIsAway(() => this.tools.usable(asker, saved.tools.offered), { timeoutMs });
    const offered = this.providers.withoutForeignTools(known, usable);
    const { supported: supportsTools, maxSteps } = saved.tools;
    // The model may be a fallback, which lacks the effort that was asked for.
    const requested = { reasoningEffort: effortFor(known, decided.reasoningEffort) };
    const parameters = withDefaults(requested, known.parameters);
    this.launchThenTitle({
      generationId,
      asker,
      isBudgeted: saved.isBudgeted,
      thread,
      kind: 'message',
      // An answer with calls is text, even if the model has become an image model.
      model: { ...known, kind: 'chat', supportsTools, pricing: saved.pricing, parameters },
      requested,
      fallbacks: [],
      tools: this.toolsOf({ generationId, thread }, offered, maxSteps),
      restored: { ...saved, checkpoint },
    });
  }

  private launchThenTitle(spec: MessageSpec | Extract<ImageSpec, { thread: RunThread }>): GenerationRun {
    const run = this.engine.launch(spec);
    const { threadId, userMessage, lacksTitle } = spec.thread;
    if (lacksTitle)
      void run.ended.then((status) => {
        if (status === 'complete') void this.titles.suggest(run.asker, threadId, spec.model, userMessage, run.text);
      });
    return run;
  }

  private toolsOf(
    { generationId, thread: { threadId } }: Pick<MessageSpec, 'generationId' | 'thread'>,
    offered: Tool[],
    maxSteps: number,
  ): RunTools {
    return {
      offered,
      maxSteps,
      drawImage: (image) => this.images.draw({ ...image, threadId, generationId }),
    };
  }
}
