import { Button, Flex, Progress, Spinner, Stack } from '@chakra-ui/react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ImportStarted, LIMITS } from '@tanya/contract';
import { Upload } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { t } from '../../../app/i18n/translate';
import { errorText } from '../../../app/api/api-error';
import { upload } from '../../../app/api/upload';
import { LoadingButton } from '../../../components/buttons/loading-button';
import { LoadError } from '../../../components/feedback/load-error';
import { notify } from '../../../components/feedback/notify';
import { ImportRow } from './import-row';
import { importsQuery, isRunning } from './imports.query';

/** Imports exports of other programs, and shows the imports so far. */
export function ImportChats() {
  const imports = useQuery(importsQuery);
  useRefreshedThreads(isRunning(imports.data));
  return (
    <Stack gap="4">
      <ImportUpload isBlocked={isRunning(imports.data)} />
      {imports.isError && <LoadError message={t('imports.listFailed')} onRetry={() => void imports.refetch()} />}
      {imports.isPending && <Spinner size="sm" color="fg.muted" />}
      {imports.data && imports.data.length > 0 && (
        <Stack as="ul" listStyleType="none" gap="4" aria-label={t('imports.title')}>
          {imports.data.map((status) => (
            <ImportRow key={status.id} status={status} />
          ))}
        </Stack>
      )}
    </Stack>
  );
}

/** Reads the thread list again when an import has ended. */
function useRefreshedThreads(running: boolean): void {
  const queryClient = useQueryClient();
  const wasRunning = useRef(false);
  useEffect(() => {
    if (wasRunning.current && !running) void queryClient.invalidateQueries({ queryKey: ['threads', 'list'] });
    wasRunning.current = running;
  }, [running, queryClient]);
}

function ImportUpload({ isBlocked }: { isBlocked: boolean }) {
  const field = useRef<HTMLInputElement>(null);
  const { start, cancel, progress } = useImportUpload();
  const percent = progress === null ? null : Math.round(progress * 100);
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
          if (file) start(file);
        }}
      />
      <LoadingButton
        variant="outline"
        disabled={isBlocked}
        loading={percent !== null}
        loadingText={t('imports.uploading', { percent: percent ?? 0 })}
        onClick={() => field.current?.click()}
      >
        <Upload aria-hidden /> {t('imports.choose')}
      </LoadingButton>
      {percent !== null && (
        <>
          <Button variant="ghost" onClick={cancel}>
            {t('common.cancel')}
          </Button>
          <Progress.Root value={percent} size="xs" width="100%" aria-label={t('imports.uploading', { percent })}>
            <Progress.Track>
              <Progress.Range />
            </Progress.Track>
          </Progress.Root>
        </>
      )}
    </Flex>
  );
}

/** The upload of an export: its progress from 0 to 1, null without an upload. */
function useImportUpload() {
  const queryClient = useQueryClient();
  const [progress, setProgress] = useState<number | null>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const start = (file: File) => {
    if (running.current) return;
    if (file.size > LIMITS.importBytes) {
      notify({ title: t('imports.failed'), description: t('imports.tooLarge'), kind: 'error' });
      return;
    }
    const controller = new AbortController();
    running.current = controller;
    setProgress(0);
    upload<ImportStarted>(file, { path: '/api/user/import', onProgress: setProgress, signal: controller.signal })
      .then(() => queryClient.invalidateQueries({ queryKey: importsQuery.queryKey }))
      .catch((error: unknown) => {
        if (controller.signal.aborted) return;
        notify({ title: t('imports.failed'), description: errorText(error), kind: 'error' });
      })
      .finally(() => {
        running.current = null;
        setProgress(null);
      });
  };
  return { start, cancel: () => running.current?.abort(), progress };
}
