import { useQuery } from '@tanstack/react-query';
import { mayUsePremium, type Message, type PublicModel } from '@tanya/contract';
import { useMemo, useState } from 'react';
import { defaultModelQuery, modelsQuery } from '../../../app/queries/models.query';
import { currentUserQuery } from '../../../app/queries/user.query';
import { usePageOwner } from '../../../app/session/page-owner';
import { offeredModels, resolveModel } from './model-choice';
import { readModelPreferences, writeModelPreferences } from './model-preferences';

export interface ModelChoice {
  offered: PublicModel[];
  model: PublicModel;
  mayUsePremium: boolean;
  pick: (modelId: string) => void;
}

/** The model of the next answer in this conversation. */
export function useModelChoice(messages: readonly Message[]): ModelChoice {
  const [picked, setPicked] = useState<string>();
  const owner = usePageOwner();
  // Read once per conversation: a choice in another tab must not change the model of this one.
  const { last } = useMemo(() => readModelPreferences(owner), [owner]);
  const { data: models } = useQuery(modelsQuery);
  const { data: systemDefault } = useQuery(defaultModelQuery);
  const { data: user } = useQuery(currentUserQuery);
  const isPremiumAllowed = mayUsePremium(user);
  const offered = offeredModels(models);
  const thread = messages.findLast((message) => message.modelId !== null)?.modelId;
  return {
    offered,
    model: resolveModel(offered, { picked, thread, last, systemDefault: systemDefault?.modelId }, isPremiumAllowed),
    mayUsePremium: isPremiumAllowed,
    pick: (modelId) => {
      setPicked(modelId);
      // The model of the next new conversation.
      writeModelPreferences(owner, { last: modelId });
    },
  };
}
