import { useQuery } from '@tanstack/react-query';
import {
  isForPremium,
  mayUsePremium,
  type Message,
  type Preferences,
  type PublicModel,
  DEFAULT_MODEL_ID,
  FALLBACK_MODEL,
} from '@tanya/contract';
import { useEffect, useMemo, useState } from 'react';
import { defaultModelQuery, modelsQuery } from '../../../app/queries/models.query';
import { preferencesQuery, savePreferences } from '../../../app/queries/preferences.query';
import { currentUserQuery } from '../../../app/queries/user.query';
import { usePageOwner } from '../../../app/session/page-owner';
import { GUEST } from '../../../app/storage/owner';
import { composerModel, pickerModels } from '../shared/picker-models';
import { readModelPreferences, writeModelPreferences } from './model-preferences';

/** Model ids, in the order of preference. */
interface Candidates {
  /** The model that the user picked in this conversation. */
  picked: string | undefined;
  /** The model that was asked for the thread's newest answer. */
  thread: string | number | null | undefined;
  /** The model that the user picked last, in any conversation. */
  last: string | undefined;
  systemDefault: string | undefined;
}

/** The model of the next message: the first candidate that is offered and usable, else the first usable model. */
export function resolveModel(
  offered: readonly PublicModel[],
  candidates: Candidates,
  mayUsePremium: boolean,
): PublicModel {
  const { picked, thread, last, systemDefault } = candidates;
  const isUsable = (model: PublicModel) => mayUsePremium || !isForPremium(model);
  for (const id of [picked, thread, last, systemDefault ?? DEFAULT_MODEL_ID]) {
    const found = offered.find((model) => model.modelId === id);
    if (found && isUsable(found)) return found;
  }
  return offered.find(isUsable) ?? offered[0] ?? FALLBACK_MODEL;
}

export interface ModelChoice {
  offered: PublicModel[];
  model: PublicModel;
  mayUsePremium: boolean;
  pick: (modelId: string) => void;
  /** Chooses the model of this conversation alone. */
  suggest: (modelId: string) => void;
  /** The member's preferences; undefined for guests and until they are read. */
  preferences: Preferences | undefined;
}

/** The model that was asked for an answer, which another one may have given. */
const askedModel = (answer?: Message) =>
  answer?.notices?.find(({ code }) => code === 'fallback')?.params?.['from'] ?? answer?.modelId;

/** The model of the next answer in this conversation. */
export function useModelChoice(messages: readonly Message[]): ModelChoice {
  const [picked, setPicked] = useState<string>();
  const owner = usePageOwner();
  // Read once per conversation: a choice in another tab must not change the model of this one. A new account begins with
  // the guest's choice.
  const stored = useMemo(() => readModelPreferences(owner).last ?? readModelPreferences(GUEST).last, [owner]);
  const { data: models } = useQuery(modelsQuery);
  const { data: systemDefault } = useQuery(defaultModelQuery);
  const { data: user } = useQuery(currentUserQuery);
  const { data: preferences } = useQuery({ ...preferencesQuery(user?.id ?? 0), enabled: Boolean(user) });
  const isPremiumAllowed = mayUsePremium(user);
  const offered = pickerModels(models);
  const thread = askedModel(messages.findLast((message) => message.modelId !== null));
  const last = preferences?.modelId ?? stored;
  const model = resolveModel(
    offered,
    { picked, thread, last, systemDefault: systemDefault?.modelId },
    isPremiumAllowed,
  );
  // Until the models are read it is a guess, whose absence from the list says nothing.
  const shown = models === undefined ? null : model.modelId;
  useEffect(() => void (composerModel.id = shown), [shown]);
  return {
    offered,
    model,
    mayUsePremium: isPremiumAllowed,
    preferences,
    suggest: setPicked,
    pick: (modelId) => {
      setPicked(modelId);
      // The model of the next new conversation, here at once and on other devices.
      writeModelPreferences(owner, { last: modelId });
      if (user) savePreferences(user.id, { modelId }).catch(() => undefined);
    },
  };
}
