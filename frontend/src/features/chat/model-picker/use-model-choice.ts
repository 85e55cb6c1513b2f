import { useQuery } from '@tanstack/react-query';
import type { Message, PublicModel } from '@tanya/contract';
import { useState } from 'react';
import { defaultModelQuery, modelsQuery } from '../../../app/queries/models.query';
import { currentUserQuery } from '../../../app/queries/user.query';
import { offeredModels, resolveModel } from './model-choice';

export interface ModelChoice {
  offered: PublicModel[];
  model: PublicModel;
  mayUsePremium: boolean;
  pick: (modelId: string) => void;
}

/** The model of the next answer in this conversation. */
export function useModelChoice(messages: readonly Message[]): ModelChoice {
  const [picked, pick] = useState<string>();
  const { data: models } = useQuery(modelsQuery);
  const { data: systemDefault } = useQuery(defaultModelQuery);
  const { data: user } = useQuery(currentUserQuery);
  const mayUsePremium = Boolean(user?.isPremium);
  const offered = offeredModels(models);
  const thread = messages.findLast((message) => message.modelId !== null)?.modelId;
  return {
    offered,
    model: resolveModel(offered, { picked, thread, systemDefault: systemDefault?.modelId }, mayUsePremium),
    mayUsePremium,
    pick,
  };
}
