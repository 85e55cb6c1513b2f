import { Flex, Heading, Stack, Text } from '@chakra-ui/react';
import type { AuditEntry } from '@tanya/contract';
import { useId } from 'react';
import { formatDateTime } from '../../app/i18n/formats';
import { findText, t } from '../../app/i18n/translate';
import { ChangedValues } from './changed-values';

export function AuditChange({ entry }: { entry: AuditEntry }) {
  const headingId = useId();
  const { actor, address, createdAt } = entry;
  return (
    <Stack as="li" gap="1.5" p="3" borderWidth="1px" borderRadius="l2" aria-labelledby={headingId}>
      <Flex columnGap="4" justify="space-between" wrap="wrap">
        <Heading as="h3" id={headingId} textStyle="sm" fontWeight="medium" overflowWrap="anywhere" minW="0">
          {titleOf(entry)}
        </Heading>
        <Text color="fg.muted" asChild>
          <time dateTime={createdAt}>{formatDateTime(new Date(createdAt))}</time>
        </Text>
      </Flex>
      <Text color="fg.muted" overflowWrap="anywhere">
        {t('audit.by', { name: actor.username, address })}
      </Text>
      <ChangedValues before={entry.before} after={entry.after} describedBy={headingId} />
    </Stack>
  );
}

/** The kind of the change and the name of its target. Kinds of a newer server keep their own name. */
function titleOf({ action, target }: AuditEntry): string {
  const change = findText(`audit.did_${action.replace('.', '_')}`) ?? action;
  if (target.kind === 'settings') return change;
  return `${change}: ${target.name ?? `#${target.id}`}`;
}
