import { DEFAULT_MODEL_ID, type ExampleContext, isForPremium, type PublicModel } from '@tanya/contract';

export function apiModels(models: readonly PublicModel[]): PublicModel[] {
  return models.filter(({ isEnabled, isApiEnabled }) => isEnabled && isApiEnabled);
}

/**
 * Models for runnable examples: for chat the default if the API offers it and the plan includes it, else of each kind the first
 * within the plan, else the first. Without a model of another kind the example names a usual one.
 */
export function exampleModels(
  offered: readonly PublicModel[] = [],
  defaultModelId: string | undefined,
  mayUsePremium: boolean,
): Required<Pick<ExampleContext, 'model' | 'models'>> {
  const usable = offered.filter((model) => mayUsePremium || !isForPremium(model));
  const firstOf = (wanted: PublicModel['kind']): string | undefined =>
    [...usable, ...offered].find(({ kind }) => kind === wanted)?.modelId;
  const chosen = usable.find(({ modelId, kind }) => modelId === defaultModelId && kind === 'chat')?.modelId;
  return {
    model: chosen ?? firstOf('chat') ?? DEFAULT_MODEL_ID,
    models: { image: firstOf('image'), embedding: firstOf('embedding'), transcription: firstOf('transcription') },
  };
}
