import { Flex, Grid, Heading, Stack, Text } from '@chakra-ui/react';
import type { Failure } from '@tanya/contract';
import { useId } from 'react';
import { formatDateTime } from '../../app/i18n/formats';
import { findText, t } from '../../app/i18n/translate';
import { CopyButton } from '../../components/buttons/copy-button';
import { TextButton } from '../../components/buttons/text-button';
import { EntryField } from '../../components/tables/entry-field';
import type { FailureFilter } from './failure-filters';

interface FailureEntryProps {
  failure: Failure;
  /** Shows the failures of the same code, model, connection or person. */
  onNarrow: (fields: Partial<FailureFilter>) => void;
}

export function FailureEntry({ failure, onNarrow }: FailureEntryProps) {
  const headingId = useId();
  const { code, status, provider, modelId, connection, user, apiKey, generationId, requestId, createdAt } = failure;
  const narrowing = (name: string, fields: Partial<FailureFilter>) => (
    <TextButton textAlign="start" whiteSpace="normal" overflowWrap="anywhere" onClick={() => onNarrow(fields)}>
      {name}
    </TextButton>
  );
  return (
    <Stack as="li" gap="2" p="3" borderWidth="1px" borderRadius="l2" aria-labelledby={headingId}>
      <Flex columnGap="4" justify="space-between" wrap="wrap">
        <Heading as="h3" id={headingId} textStyle="sm" fontWeight="medium" overflowWrap="anywhere" minW="0">
          {code} · {status}
        </Heading>
        <Text color="fg.muted" asChild>
          <time dateTime={createdAt}>{formatDateTime(new Date(createdAt))}</time>
        </Text>
      </Flex>
      <Text overflowWrap="anywhere" whiteSpace="pre-wrap">
        {provider?.message ?? findText(`errors.${code}`)}
      </Text>
      <Grid as="dl" templateColumns="repeat(auto-fill, minmax(min(100%, 15rem), 1fr))" columnGap="4" rowGap="2">
        <EntryField label={t('failures.code')} value={narrowing(code, { code })} />
        <EntryField label={t('failures.provider')} value={namesOf(provider)} />
        <EntryField label={t('common.model')} value={modelId && narrowing(modelId, { modelId })} />
        <EntryField
          label={t('modelsPage.connection')}
          value={connection && narrowing(nameOr(connection), { connectionId: String(connection.id) })}
        />
        <EntryField
          label={t('failures.person')}
          value={user === null ? null : narrowing(user.username, { userId: String(user.id) })}
        />
        <EntryField label={t('failures.key')} value={apiKey && nameOr(apiKey)} />
        <EntryField
          label={t('failures.answerId')}
          value={generationId && <Id text={generationId} label={t('failures.copyAnswerId')} />}
        />
        <EntryField
          label={t('failures.requestId')}
          value={requestId && <Id text={requestId} label={t('failures.copyRequestId')} />}
        />
      </Grid>
    </Stack>
  );
}

const nameOr = ({ id, name }: { id: number; name: string | null }): string => name ?? `#${id}`;

/** Type, code and refused field of a provider's error, under the names that providers use. */
const namesOf = (provider: Failure['provider']): string =>
  (['type', 'code', 'param'] as const)
    .flatMap((name) => (provider?.[name] ? [`${name}: ${provider[name]}`] : []))
    .join(', ');

function Id({ text, label }: { text: string; label: string }) {
  return (
    <Flex align="center" gap="1">
      <Text as="span" fontFamily="mono" textStyle="xs" overflowWrap="anywhere" minW="0">
        {text}
      </Text>
      <CopyButton label={label} text={() => text} />
    </Flex>
  );
}
