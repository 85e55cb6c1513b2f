import { chakra, Flex } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import type { Message } from '@tanya/contract';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatDateTime, formatMoment } from '../../../../app/i18n/formats';
import { t } from '../../../../app/i18n/translate';
import { modelsQuery } from '../../../../app/queries/models.query';
import { ActionButton } from '../../../../components/buttons/action-button';
import { useConversationActions } from '../../shared/conversation-context';
import { modelName } from '../../shared/model-names';

/** The buttons of a message: shown on hover and focus, and always on devices without hover. */
export function MessageActions({ children }: { children: ReactNode }) {
  return (
    <Flex
      wrap="wrap"
      align="center"
      gap="0.5"
      ms="-1.5"
      maxW="100%"
      color="fg.muted"
      css={{
        '& > *': { flexShrink: 0 },
        '@media (hover: hover)': {
          // One line: a second one would reach into the next message.
          flexWrap: 'nowrap',
          opacity: 0,
          background: 'bg',
          borderRadius: 'l2',
          transition: 'opacity 120ms ease-out',
          '.group:hover &, .group:focus-within &, [data-newest] &, &:has([data-speaking])': { opacity: 1 },
        },
      }}
    >
      {children}
    </Flex>
  );
}

/** The version that a step leads to. Its buttons take the focus of those that go with the version before. */
let stepped: { messageId: number; by: 1 | -1 } | null = null;

export function VersionSwitch({ message }: { message: Message }) {
  const { canSwitch, showVersion } = useConversationActions();
  const { id, siblingIds } = message;
  const at = siblingIds.indexOf(id);
  if (siblingIds.length < 2 || at === -1) return null;
  const step = (by: 1 | -1) => {
    const target = siblingIds[at + by];
    const show = async () => {
      if (target === undefined) return;
      stepped = { messageId: target, by };
      if (!(await showVersion(target))) stepped = null;
    };
    return { disabled: !canSwitch || target === undefined, onClick: () => void show() };
  };
  const takeFocus = (group: HTMLElement | null) => {
    if (!group || stepped?.messageId !== id) return;
    const { activeElement } = document;
    const hasFocus = activeElement === document.body || group.contains(activeElement);
    const [previous, next] = group.querySelectorAll('button');
    const [wanted, other] = stepped.by < 0 ? [previous, next] : [next, previous];
    stepped = null;
    if (hasFocus) (wanted?.disabled ? other : wanted)?.focus();
  };
  return (
    <Flex align="center" role="group" aria-label={t('message.versions')} ref={takeFocus}>
      <ActionButton label={t('message.previousVersion')} {...step(-1)}>
        <ChevronLeft size={14} />
      </ActionButton>
      <chakra.span textStyle="xs" fontVariantNumeric="tabular-nums">
        {at + 1}/{siblingIds.length}
      </chakra.span>
      <ActionButton label={t('message.nextVersion')} {...step(1)}>
        <ChevronRight size={14} />
      </ActionButton>
    </Flex>
  );
}

export function MessageMeta({ message }: { message: Message }) {
  const { modelId, isDemo } = message;
  const { data: name } = useQuery({
    ...modelsQuery,
    select: (models) => models.find((model) => model.modelId === modelId)?.name,
  });
  const createdAt = new Date(message.createdAt);
  if (Number.isNaN(createdAt.getTime())) return null;
  return (
    <chakra.span
      textStyle="xs"
      color="fg.subtle"
      ms="1.5"
      minW="0"
      css={{ flexShrink: 1 }}
      truncate
      title={formatDateTime(createdAt)}
    >
      {modelId && `${isDemo ? t('model.demo') : (name ?? modelName(modelId))} · `}
      <time dateTime={message.createdAt}>{formatMoment(createdAt)}</time>
    </chakra.span>
  );
}
