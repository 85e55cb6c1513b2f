import type { ImportStarted } from '@tanya/contract';
import { LIMITS } from '@tanya/contract';
import { create } from 'zustand';
import { upload } from '../../../app/api/upload';
import { t } from '../../../app/i18n/translate';
import { queryClient } from '../../../app/queries/query-client';
import { onOwnerChanged } from '../../../app/session/page-owner';
import { showFailure } from '../../../components/feedback/fail';
import { notify } from '../../../components/feedback/notify';
import { watchImport } from './import-watch';
import { importsQuery } from './imports.query';

interface ImportUploadStore {
  /** Progress of the upload from 0 to 1; null without an upload. */
  progress: number | null;
}

/** The upload of an export. It goes on after its page was left. */
export const useImportUpload = create<ImportUploadStore>()(() => ({ progress: null }));

let running: AbortController | null = null;

/** Uploads an export, unless another upload runs. @param openList as in `watchImport` */
export async function startImport(file: File, openList: () => void): Promise<void> {
  if (running) return;
  if (file.size > LIMITS.importBytes) {
    notify({ title: t('imports.failed'), description: t('imports.tooLarge'), kind: 'error' });
    return;
  }
  const controller = new AbortController();
  running = controller;
  const onProgress = (progress: number) => useImportUpload.setState({ progress });
  onProgress(0);
  window.addEventListener('beforeunload', askBeforeUnload);
  try {
    const options = { path: '/api/user/import', onProgress, signal: controller.signal };
    const { id } = await upload<ImportStarted>(file, options);
    watchImport(id, openList);
    await queryClient.invalidateQueries({ queryKey: importsQuery.queryKey });
  } catch (error) {
    if (!controller.signal.aborted) showFailure('imports.failed', error);
  } finally {
    running = null;
    useImportUpload.setState({ progress: null });
    window.removeEventListener('beforeunload', askBeforeUnload);
  }
}

export function cancelImport(): void {
  running?.abort();
}

// The export of one account must not reach another one.
onOwnerChanged(cancelImport);

/** Makes the browser ask before a reload ends the upload. */
function askBeforeUnload(event: BeforeUnloadEvent): void {
  event.preventDefault();
}
