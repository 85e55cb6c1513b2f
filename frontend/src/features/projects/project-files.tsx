import { Button, Skeleton, Stack, Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import type { EmbeddingModelInfo, ProjectFile } from '@tanya/contract';
import { Upload } from 'lucide-react';
import { useRef, useState } from 'react';
import { formatUsd } from '../../app/i18n/report-formats';
import { t } from '../../app/i18n/translate';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog';
import { LoadError } from '../../components/feedback/load-error';
import { useFocusRecovery } from '../../components/hooks/use-focus-recovery';
import { Panel } from '../../components/layout/panel';
import { projectFilesQuery } from '../../app/queries/projects.query';
import { AddingFiles } from './adding-files';
import { FileList } from './file-list';
import { addFiles } from './file-uploads';
import { useDeleteFile } from './project-mutations';

interface ProjectFilesProps {
  id: number;
  mayEdit: boolean;
  embedding: EmbeddingModelInfo | null;
}

/** Tokens of 100 pages. */
const TOKENS_OF_PAGES = 50_000;

/** How the files are found, and what a new one costs. */
function hintOf(embedding: EmbeddingModelInfo | null, mayEdit: boolean): string {
  if (embedding === null) return t('projects.foundByWords');
  const found = t('projects.foundByMeaning', { model: embedding.name });
  const usd = embedding.usdPerMillionTokens;
  if (!mayEdit || Number(usd ?? 1) === 0) return found;
  if (usd === null) return `${found} ${t('projects.embeddingCostUnknown')}`;
  const price = formatUsd((Number(usd) * TOKENS_OF_PAGES) / 1_000_000);
  return `${found} ${t('projects.embeddingCost', { usd: price })}`;
}

export function ProjectFiles({ id, mayEdit, embedding }: ProjectFilesProps) {
  const files = useQuery({ ...projectFilesQuery(id), refetchOnMount: 'always' });
  const input = useRef<HTMLInputElement>(null);
  const [removing, setRemoving] = useState<ProjectFile | null>(null);
  const recoverFocus = useFocusRecovery();
  const remove = useDeleteFile(id, () => setRemoving(null));
  return (
    <Panel
      title={t('projects.files')}
      hint={hintOf(embedding, mayEdit)}
      action={
        mayEdit && (
          <>
            <input
              ref={input}
              type="file"
              multiple
              hidden
              aria-label={t('projects.addFiles')}
              onChange={({ target }) => {
                addFiles(id, [...(target.files ?? [])]);
                target.value = '';
              }}
            />
            <Button size="sm" variant="outline" onClick={() => input.current?.click()}>
              <Upload aria-hidden /> {t('projects.addFiles')}
            </Button>
          </>
        )
      }
    >
      <Stack ref={recoverFocus} gap="3">
        <AddingFiles projectId={id} />
        {files.isPending && <Skeleton height="4rem" />}
        {files.isError && !files.data && (
          <LoadError message={t('projects.filesError')} onRetry={() => void files.refetch()} />
        )}
        {files.data?.length === 0 && <Text color="fg.muted">{t('projects.noFiles')}</Text>}
        {files.data && (
          <FileList
            projectId={id}
            files={files.data}
            hasEmbedding={embedding !== null}
            onRemove={mayEdit ? setRemoving : undefined}
          />
        )}
      </Stack>
      {removing && (
        <ConfirmDialog
          title={t('projects.deleteFile')}
          question={t('projects.deleteFileQuestion', { name: removing.name })}
          pending={remove.isPending}
          onConfirm={() => remove.mutate(removing.id)}
          onClose={() => setRemoving(null)}
        />
      )}
    </Panel>
  );
}
