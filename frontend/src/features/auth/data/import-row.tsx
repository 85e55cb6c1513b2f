import { Box, Button, Flex, Progress, Stack, Text } from '@chakra-ui/react';
import { IMPORT_SOURCE_NAMES, type ImportStatus } from '@tanya/contract';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { formatDateTime } from '../../../app/i18n/formats';
import { t } from '../../../app/i18n/translate';
import { api } from '../../../app/api/api-client';
import { queryClient } from '../../../app/queries/query-client';
import { useSingleFlightMutation } from '../../../app/queries/use-single-flight-mutation';
import { ConfirmDialog } from '../../../components/dialogs/confirm-dialog';
import { fail } from '../../../components/feedback/fail';
import { notify } from '../../../components/feedback/notify';
import { ImportReport } from './import-report';
import { importResult } from './import-result';
import { importsQuery } from './imports.query';
import { remarkText } from './remark-text';
import { useWantedReport } from './wanted-report';
import { QUERY_KEYS } from '../../../app/queries/query-keys';

interface ImportRowProps {
  status: ImportStatus;
  /** The list of imports, which takes the focus when the row is removed. */
  list: RefObject<HTMLElement | null>;
}

export function ImportRow({ status, list }: ImportRowProps) {
  const { id, state, source, total, progress, error, errorRemark, createdAt } = status;
  const { isWanted, isFirstWanted, row, reportButton } = useWanted(id);
  const [isReportOpen, setReportOpen] = useState(isWanted);
  if (isWanted && !isReportOpen) setReportOpen(true);
  const [isAsking, setAsking] = useState(false);
  const undo = useUndo(id, () => setAsking(false));
  const isRunning = state === 'running';
  return (
    <Stack as="li" gap="2" ref={row}>
      <Flex gap="2" align="start" justify="space-between">
        <Box minW="0">
          <Text fontWeight="medium">
            {sourceName(source)} · {formatDateTime(new Date(createdAt))}
          </Text>
          <Text color="fg.muted" role={isRunning ? 'status' : undefined}>
            {isRunning ? t('imports.running', { count: total }) : importResult(status)}
          </Text>
        </Box>
        <Button size="xs" variant="outline" flexShrink={0} onClick={() => setAsking(true)}>
          {t('order.undo')}
        </Button>
      </Flex>
      {isRunning && (
        <Progress.Root colorPalette="jade" value={Math.round(progress * 100)} size="xs">
          <Progress.Track aria-label={t('imports.progress')}>
            <Progress.Range />
          </Progress.Track>
        </Progress.Root>
      )}
      {error !== null && <Text color="fg.error">{remarkText(errorRemark, error)}</Text>}
      {total > 0 && !isRunning && (
        <Button
          ref={reportButton}
          data-autofocus={isFirstWanted || undefined}
          size="xs"
          variant="ghost"
          alignSelf="start"
          ms="-2.5"
          aria-expanded={isReportOpen}
          onClick={() => setReportOpen(!isReportOpen)}
        >
          {t('imports.report')}
        </Button>
      )}
      {isReportOpen && <ImportReport id={id} />}
      {isAsking && (
        <ConfirmDialog
          title={t('imports.undoTitle')}
          question={t('imports.undoQuestion')}
          action={t('imports.undoAction')}
          pending={undo.isPending}
          pendingText={t('imports.undoing')}
          onConfirm={() => undo.mutate()}
          onClose={() => setAsking(false)}
          finalFocus={() => (isListed(id) ? null : list.current)}
        />
      )}
    </Stack>
  );
}

/** Shows the row and focuses its report when a notice leads to it, whether the dialog opens for it or is open already. */
function useWanted(id: string) {
  const isWanted = useWantedReport((wanted) => wanted.id === id);
  const [isFirstWanted] = useState(isWanted);
  const row = useRef<HTMLDivElement>(null);
  const reportButton = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!isWanted) return;
    useWantedReport.setState({ id: null });
    row.current?.scrollIntoView({ block: 'center' });
    reportButton.current?.focus({ preventScroll: true });
  }, [isWanted]);
  return { isWanted, isFirstWanted, row, reportButton };
}

function sourceName(source: ImportStatus['source']): string {
  if (source === null) return t('imports.unknownSource');
  return source === 'tanya' ? t('imports.ownSource') : IMPORT_SOURCE_NAMES[source];
}

const isListed = (id: string) => queryClient.getQueryData(importsQuery.queryKey)?.some((one) => one.id === id);

function useUndo(id: string, onEnd: () => void) {
  return useSingleFlightMutation({
    mutationFn: () => api.deleteIfThere(`/api/user/import/${id}`),
    onSuccess: () => {
      queryClient.setQueryData(importsQuery.queryKey, (all) => all?.filter((one) => one.id !== id));
      void queryClient.invalidateQueries({ queryKey: QUERY_KEYS.threadLists });
      notify({ title: t('imports.undone') });
    },
    onError: fail('imports.undoFailed'),
    onSettled: onEnd,
  });
}
