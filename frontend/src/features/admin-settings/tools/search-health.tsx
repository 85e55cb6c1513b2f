import { Box } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import type { SearchStatus } from '@tanya/contract';
import { formatDateTime } from '../../../app/i18n/formats';
import { t } from '../../../app/i18n/translate';
import { faultSentence } from '../connections/fault-sentence';
import { searchStatusQuery } from './search.query';

/** The saved search service and its last outcome. */
export function SearchHealth() {
  const { data } = useQuery(searchStatusQuery);
  if (!data) return null;
  const { lastError, lastSuccess } = data;
  const hasFailed = lastError !== null && (lastSuccess === null || lastError.at > lastSuccess);
  return (
    <Box textStyle="sm" color="fg.muted" overflowWrap="anywhere">
      {serviceText(data)}
      {lastSuccess && ` ${t('connections.lastSuccess', { time: formatDateTime(new Date(lastSuccess)) })}.`}
      {hasFailed && (
        <Box color="fg.error">
          {t('connections.failed', { time: formatDateTime(new Date(lastError.at)) })}:{' '}
          {faultSentence(lastError.fault, lastError.message)}
        </Box>
      )}
    </Box>
  );
}

function serviceText({ service, source, isHosted }: SearchStatus): string {
  if (service === null) return t(isHosted ? 'toolSettings.hostedSearch' : 'toolSettings.noService');
  const name = t(`toolSettings.${service}`);
  return source === 'environment' ? t('toolSettings.fromEnvironment', { name }) : t('toolSettings.inUse', { name });
}
