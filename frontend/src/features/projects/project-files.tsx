import { Button, Flex, Skeleton, Stack, Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import type { EmbeddingModelInfo, ProjectFile } from '@tanya/contract';
import { FolderUp, Upload } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { formatUsd } from '../../app/i18n/report-formats';
import { t } from '../../app/i18n/translate';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog';
import { LoadError } from '../../components/feedback/load-error';
import { useFocusRecovery } from '../../components/hooks/use-focus-recovery';
import { Panel } from '../../components/layout/panel';
import { projectFilesQuery } from '../../app/queries/projects.query';
import { AddingFiles } from './adding-files';
import { FileList } from './file-list';
import { addChosenFolder, addFiles } from './file-uploads';
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
  const [removing, setRemoving] = useState<ProjectFile | null>(null);
  const recoverFocus = useFocusRecovery();
  const remove = useDeleteFile(id, () => setRemoving(null));
  return (
    <Panel
      title={t('projects.files')}
      hint={hintOf(embedding, mayEdit)}
      action={
        mayEdit && (
          <Flex gap="2" wrap="wrap">
            <FilesButton
              label={t('projects.addFiles')}
              icon={<Upload aria-hidden />}
              onFiles={(list) => addFiles(id, list)}
            />
            {/* Phones have no folders to choose. */}
            {'webkitdirectory' in HTMLInputElement.prototype && (
              <FilesButton
                label={t('projects.addFolder')}
                icon={<FolderUp aria-hidden />}
                isFolder
                onFiles={(list) => addChosenFolder(id, list)}
              />
            )}
          </Flex>
        )
      }
    >
      <Stack ref={recoverFocus} gap="3">
        <AddingFiles projectId={id} />
        {files.isPending && <Skeleton height="4rem" />}
        {files.isLoadingError && <LoadError message={t('projects.filesError')} onRetry={files.refetch} />}
        {files.data?.length === 0 && (
          <Text color="fg.muted">
            {t('projects.noFiles')}{' '}
            {mayEdit && (
              <Text as="span" hideBelow="md">
                {t('projects.dropHint')}
              </Text>
            )}
          </Text>
        )}
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

interface FilesButtonProps {
  label: string;
  icon: ReactNode;
  isFolder?: boolean;
  onFiles: (files: File[]) => void;
}

/** Opens the browser’s dialog for files or for a folder. */
function FilesButton({ label, icon, isFolder = false, onFiles }: FilesButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={label}
        {...(isFolder && { webkitdirectory: '' })}
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])]);
          target.value = '';
        }}
      />
      <Button size="sm" variant="outline" onClick={() => input.current?.click()}>
        {icon} {label}
      </Button>
    </>
  );
}
