import { chakra } from '@chakra-ui/react';
import type { PublicModel } from '@tanya/contract';
import { Brain, Eye, Lock } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatCompact } from '../../../app/i18n/report-formats';
import { t } from '../../../app/i18n/translate';

/** Marks of a model: its price if it is more than one message, its context, reasoning, vision, and whether it is locked. */
export function ModelMarks({ model, isLocked }: { model: PublicModel; isLocked: boolean }) {
  const { vision, reasoningEfforts, messageCost = 1, contextLength, isImage } = model;
  return (
    <>
      {messageCost > 1 && (
        <chakra.span textStyle="xs" color="fg.muted" whiteSpace="nowrap">
          {t('modelMenu.cost', { count: messageCost })}
        </chakra.span>
      )}
      {contextLength && !isImage && (
        <chakra.span
          textStyle="xs"
          color="fg.muted"
          whiteSpace="nowrap"
          title={t('modelMenu.context', { count: contextLength })}
        >
          {formatCompact(contextLength)}
        </chakra.span>
      )}
      {reasoningEfforts && reasoningEfforts.length > 0 && (
        <Mark label={t('modelMenu.reasons')}>
          <Brain size={14} />
        </Mark>
      )}
      {vision && (
        <Mark label={t('modelMenu.readsImages')}>
          <Eye size={14} />
        </Mark>
      )}
      {isLocked && (
        <Mark label={t('modelMenu.premiumOnly')}>
          <Lock size={14} />
        </Mark>
      )}
    </>
  );
}

function Mark({ label, children }: { label: string; children: ReactNode }) {
  return (
    <chakra.span color="fg.muted" flexShrink={0} role="img" aria-label={label} title={label}>
      {children}
    </chakra.span>
  );
}
