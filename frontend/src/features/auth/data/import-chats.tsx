import { Box, Button, Flex, Progress, Spinner, Stack } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ImportStatus } from '@tanya/contract';
import { Upload } from 'lucide-react';
import { useCallback, useEffect, useRef } from 'react';
import { formatPercent } from '../../../app/i18n/report-formats';
import { t } from '../../../app/i18n/translate';
import { LoadingButton } from '../../../components/buttons/loading-button';
import { LoadError } from '../../../components/feedback/load-error';
import { ImportRow } from './import-row';
import { cancelImport, startImport, useImportUpload } from './import-upload';
import { watchImport } from './import-watch';
import { importsQuery, isRunning } from './imports.query';
import { useWantedReport } from './wanted-report';

export function ImportChats() {
  const imports = useQuery(importsQuery);
  const list = useRef<HTMLDivElement>(null);
  const navigate = useNavigate();
  const openList = useCallback(() => void navigate({ to: '/account/{-$tab}', params: { tab: 'data' } }), [navigate]);
  useWatchedImports(imports.data, openList);
  useEffect(() => {
    useWantedReport.setState({ isListShown: true });
    return () => useWantedReport.setState({ isListShown: false });
  }, []);
  return (
    <Stack gap="4">
      <ImportUpload isBlocked={isRunning(imports.data)} openList={openList} />
      {imports.isError && <LoadError message={t('imports.listFailed')} onRetry={imports.refetch} />}
      {imports.isPending && <Spinner size="sm" color="fg.muted" />}
      <Box ref={list} tabIndex={-1} outline="none">
        {imports.data && imports.data.length > 0 && (
          <Stack as="ul" listStyleType="none" gap="4" aria-label={t('imports.title')}>
            {imports.data.map((status) => (
              <ImportRow key={status.id} status={status} list={list} />
            ))}
          </Stack>
        )}
      </Box>
    </Stack>
  );
}

/** Reports the ends of running imports, also of those that another page has started. */
function useWatchedImports(imports: readonly ImportStatus[] | undefined, openList: () => void): void {
  useEffect(() => {
    for (const { id, state } of imports ?? []) if (state === 'running') watchImport(id, openList);
  }, [imports, openList]);
}

function ImportUpload({ isBlocked, openList }: { isBlocked: boolean; openList: () => void }) {
  const field = useRef<HTMLInputElement>(null);
  const { progress } = useImportUpload();
  const percent = progress === null ? null : Math.round(progress * 100);
  const uploading = t('imports.uploading', { percent: formatPercent((percent ?? 0) / 100) });
  return (
    <Flex gap="2" align="center" wrap="wrap">
      <input
        ref={field}
        type="file"
        hidden
        accept=".zip,.json,application/zip,application/json"
        aria-label={t('imports.choose')}
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          // The same file can be chosen again.
          target.value = '';
          if (file) void startImport(file, openList);
        }}
      />
      <LoadingButton
        variant="outline"
        disabled={isBlocked}
        loading={percent !== null}
        loadingText={uploading}
        onClick={() => field.current?.click()}
      >
        <Upload aria-hidden /> {t('imports.choose')}
      </LoadingButton>
      {percent !== null && (
        <>
          <Button variant="ghost" onClick={cancelImport}>
            {t('common.cancel')}
          </Button>
          <Progress.Root colorPalette="jade" value={percent} size="xs" width="100%">
            <Progress.Track aria-label={uploading}>
              <Progress.Range />
            </Progress.Track>
          </Progress.Root>
        </>
      )}
    </Flex>
  );
}
