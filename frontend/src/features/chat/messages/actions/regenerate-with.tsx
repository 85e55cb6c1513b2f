import type { Message } from '@tanya/contract';
import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { t } from '../../../../app/i18n/translate';
import { lazyDialog } from '../../../../components/lazy/lazy-dialog';
import { useConversationActions } from '../../shared/conversation-context';
import { ActionButton } from '../../../../components/buttons/action-button';

const RegenerateMenu = lazyDialog(() => import('./regenerate-menu'));

/** Button that opens the menu of models for another answer. */
export function RegenerateWith({ message }: { message: Message }) {
  const { isIdle, regenerate } = useConversationActions();
  /** The button while its menu is open, else null. */
  const [anchor, setAnchor] = useState<HTMLButtonElement | null>(null);
  return (
    <>
      <ActionButton
        label={t('message.regenerateWith')}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        disabled={!isIdle}
        ms="-1.5"
        minW="6"
        onClick={(event) => setAnchor(anchor ? null : event.currentTarget)}
      >
        <ChevronDown size={12} />
      </ActionButton>
      {anchor && (
        <RegenerateMenu
          anchor={anchor}
          current={message.modelId}
          onChoose={(model) => regenerate(message.id, model)}
          onClose={() => setAnchor(null)}
        />
      )}
    </>
  );
}
