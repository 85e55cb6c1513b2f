import type { ImportStatus } from '@tanya/contract';
import { api } from '../../../app/api/api-client';
import { hasCode } from '../../../app/api/api-error';
import { t } from '../../../app/i18n/translate';
import { queryClient } from '../../../app/queries/query-client';
import { onOwnerChanged } from '../../../app/session/page-owner';
import { notify } from '../../../components/feedback/notify';
import { importResult } from './import-result';
import { importsQuery } from './imports.query';
import { remarkText } from './remark-text';
import { useWantedReport } from './wanted-report';
import { QUERY_KEYS } from '../../../app/queries/query-keys';

const POLL_MS = 1_000;

const watched = new Set<string>();

/**
 * Reports the end of an import, also when its page was left. Further calls change nothing.
 * @param openList opens the page with the list of imports
 */
export function watchImport(id: string, openList: () => void): void {
  if (watched.has(id)) return;
  watched.add(id);
  void untilEnded(id).then(async (status) => {
    if (!status) watched.delete(id);
    if (!status || !watched.has(id)) return;
    void queryClient.invalidateQueries({ queryKey: QUERY_KEYS.threadLists });
    queryClient.setQueryData(importsQuery.queryKey, (all) => all?.map((one) => (one.id === id ? status : one)));
    void queryClient.invalidateQueries({ queryKey: importsQuery.queryKey });
    await untilVisible();
    // The owner may have changed meanwhile.
    if (watched.delete(id)) report(status, openList);
  });
}

// The imports of one account are not reported to another one.
onOwnerChanged(() => watched.clear());

/** The import once it has ended; null when it was undone or belongs to another owner. */
async function untilEnded(id: string): Promise<ImportStatus | null> {
  while (watched.has(id)) {
    try {
      const status = await api.get<ImportStatus>(`/api/user/import/${id}`);
      if (status.state !== 'running') return status;
    } catch (error) {
      if (hasCode(error, 'not_found', 'unauthenticated', 'forbidden')) return null;
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return null;
}

/** A notice that ends in a hidden tab would not be read. */
async function untilVisible(): Promise<void> {
  while (document.visibilityState === 'hidden')
    await new Promise((resolve) => document.addEventListener('visibilitychange', resolve, { once: true }));
}

function report(status: ImportStatus, openList: () => void): void {
  const { id, state, error, errorRemark } = status;
  notify({
    title: state === 'failed' ? t('imports.endedEarly') : t('imports.ended'),
    description: [remarkText(errorRemark, error), importResult(status)].filter(Boolean).join(' '),
    kind: state === 'failed' ? 'error' : 'success',
    action: useWantedReport.getState().isListShown
      ? undefined
      : {
          label: t('imports.showReport'),
          run: () => {
            useWantedReport.setState({ id });
            openList();
          },
        },
  });
}
