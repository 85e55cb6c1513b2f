import { useQuery } from '@tanstack/react-query';
import { mayUsePremium } from '@tanya/contract';
import { Mic } from 'lucide-react';
import { ActionButton } from '../../../../components/buttons/action-button';
import { t } from '../../../../app/i18n/translate';
import { modelsQuery } from '../../../../app/queries/models.query';
import { settingsQuery } from '../../../../app/queries/settings.query';
import { currentUserQuery } from '../../../../app/queries/user.query';
import { canRecord } from './recording';

/** Whether this person can dictate: a member whose installation has a transcription model, in a browser that records. */
function useCanDictate(): boolean {
  const { data: user } = useQuery(currentUserQuery);
  const { data: settings } = useQuery(settingsQuery);
  const { data: models } = useQuery(modelsQuery);
  const modelId = settings?.transcriptionModelId ?? null;
  const model = models?.find((each) => each.modelId === modelId && each.kind === 'transcription');
  return Boolean(user) && model?.isEnabled === true && (!model.isPremium || mayUsePremium(user)) && canRecord();
}

interface DictationButtonProps {
  disabled: boolean;
  onStart: () => void;
}

export function DictationButton({ disabled, onStart }: DictationButtonProps) {
  if (!useCanDictate()) return null;
  return (
    <ActionButton label={t('dictation.start')} size="sm" borderRadius="full" disabled={disabled} onClick={onStart}>
      <Mic size={18} />
    </ActionButton>
  );
}
