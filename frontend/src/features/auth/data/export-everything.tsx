import { Button, Flex, Progress, Stack, Text } from '@chakra-ui/react';
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { DataExport, DataExportStarted, KnownPassword } from '@tanya/contract';
import { Archive, Download } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../../app/api/api-client';
import { formatDateTime } from '../../../app/i18n/formats';
import { formatPercent } from '../../../app/i18n/report-formats';
import { t } from '../../../app/i18n/translate';
import { queryClient } from '../../../app/queries/query-client';
import { LoadError } from '../../../components/feedback/load-error';
import { useFocusRecovery } from '../../../components/hooks/use-focus-recovery';
import { fail } from '../../../components/feedback/fail';
import { PasswordAndCode } from '../totp/password-and-code';

const POLL_MS = 1_000;

/** The exports of the last day, polled while one of them runs. */
const exportsQuery = queryOptions({
  queryKey: ['exports'],
  queryFn: ({ signal }) => api.get<DataExport[]>('/api/user/exports', signal),
  refetchInterval: ({ state }) => (state.data?.some((one) => one.state === 'running') ? POLL_MS : false),
  staleTime: 0,
});

/** Asks for an archive of everything, shows how far it is, and offers it for a day. */
export function ExportEverything() {
  const exports = useQuery(exportsQuery);
  const isRunning = exports.data?.some(({ state }) => state === 'running') ?? false;
  return (
    <Stack gap="3">
      {!isRunning && <StartExport />}
      {exports.isLoadingError && <LoadError message={t('exports.listFailed')} onRetry={exports.refetch} />}
      {exports.data && exports.data.length > 0 && (
        <Stack as="ul" listStyleType="none" gap="3" aria-label={t('exports.list')}>
          {exports.data.map((one) => (
            <ExportRow key={one.id} one={one} />
          ))}
        </Stack>
      )}
    </Stack>
  );
}

function StartExport() {
  const [isAsking, setAsking] = useState(false);
  const focusRef = useFocusRecovery();
  return (
    <div ref={focusRef}>
      {isAsking ? (
        <PasswordAndCode
          label={t('exports.password')}
          action={t('exports.start')}
          onFailure={fail('exports.startFailed')}
          send={(values: KnownPassword) => api.post<DataExportStarted>('/api/user/export', values)}
          onDone={() => {
            setAsking(false);
            void queryClient.invalidateQueries({ queryKey: exportsQuery.queryKey });
          }}
          onCancel={() => setAsking(false)}
        />
      ) : (
        <Button variant="outline" onClick={() => setAsking(true)}>
          <Archive aria-hidden /> {t('exports.ask')}
        </Button>
      )}
    </div>
  );
}

function ExportRow({ one: { id, state, progress, bytes, createdAt, expiresAt } }: { one: DataExport }) {
  const time = formatDateTime(new Date(createdAt));
  if (state === 'failed')
    return (
      <Text as="li" color="fg.muted" textStyle="sm">
        {t('exports.failed', { time })}
      </Text>
    );
  if (state === 'running') {
    const label = t('exports.running', { percent: formatPercent(progress) });
    return (
      <Stack as="li" gap="1">
        <Text textStyle="sm" role="status">
          {label}
        </Text>
        <Progress.Root colorPalette="jade" value={Math.round(progress * 100)} size="xs">
          <Progress.Track aria-label={label}>
            <Progress.Range />
          </Progress.Track>
        </Progress.Root>
      </Stack>
    );
  }
  const size = Math.max(0.1, Math.round(bytes / 100_000) / 10);
  return (
    <Flex as="li" gap="3" align="center" wrap="wrap">
      <Button asChild variant="outline" size="sm">
        <a href={`/api/user/export/${id}/file`} download>
          <Download aria-hidden /> {t('exports.download', { size })}
        </a>
      </Button>
      <Text color="fg.muted" textStyle="sm">
        {t('exports.until', { time: formatDateTime(new Date(expiresAt!)) })}
      </Text>
    </Flex>
  );
}
