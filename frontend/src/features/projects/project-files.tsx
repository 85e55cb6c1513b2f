import { Badge, Button, Flex, Link as TextLink, Skeleton, Stack, Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { EmbeddingModelInfo, ProjectFile } from '@tanya/contract';
import { Upload } from 'lucide-react';
import { useRef, useState } from 'react';
import { DeleteButton } from '../../components/buttons/row-buttons';
import { noticeText } from '../../app/i18n/error-sentence';
import { sizeText } from '../../app/i18n/size-text';
import { formatUsd } from '../../app/i18n/report-formats';
import { t } from '../../app/i18n/translate';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog';
import { LoadError } from '../../components/feedback/load-error';
import { useFocusRecovery } from '../../components/hooks/use-focus-recovery';
import { Panel } from '../../components/layout/panel';
import { useAddFiles, useDeleteFile } from './project-mutations';
import { projectFilesQuery, PROJECT_ROUTE, projectParams, waitsForVectors } from '../../app/queries/projects.query';

const COLOURS = { reading: 'gray', ready: 'jade', failed: 'red' } as const;

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
  const add = useAddFiles(id);
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
                add.mutate([...(target.files ?? [])]);
                target.value = '';
              }}
            />
            <Button size="sm" variant="outline" loading={add.isPending} onClick={() => input.current?.click()}>
              <Upload aria-hidden /> {t('projects.addFiles')}
            </Button>
          </>
        )
      }
    >
      {files.isPending && <Skeleton height="4rem" />}
      {files.isError && !files.data && (
        <LoadError message={t('projects.filesError')} onRetry={() => void files.refetch()} />
      )}
      {files.data?.length === 0 && <Text color="fg.muted">{t('projects.noFiles')}</Text>}
      <Stack ref={recoverFocus} as="ul" gap="3" listStyleType="none" aria-label={t('projects.files')}>
        {files.data?.map((file) => (
          <FileRow
            key={file.id}
            projectId={id}
            file={file}
            waits={embedding !== null && waitsForVectors(file)}
            onRemove={mayEdit ? () => setRemoving(file) : undefined}
          />
        ))}
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

interface FileRowProps {
  projectId: number;
  file: ProjectFile;
  /** Whether it has no vectors yet. */
  waits: boolean;
  onRemove: (() => void) | undefined;
}

function FileRow({ projectId, file, waits, onRemove }: FileRowProps) {
  const { id, name, size, state, sections } = file;
  const notice = noticeText(file.notices, file.notice ?? null);
  return (
    <Flex as="li" gap="3" align="center" justify="space-between" wrap="wrap">
      <Stack gap="0" minW="0" flex="1">
        <Text overflowWrap="anywhere">
          {state === 'ready' ? (
            <TextLink asChild colorPalette="jade">
              <Link to={PROJECT_ROUTE} params={projectParams(projectId, id)}>
                {name}
              </Link>
            </TextLink>
          ) : (
            name
          )}
        </Text>
        <Text color="fg.muted" textStyle="sm">
          {[
            sizeText(size),
            state === 'ready' && t('projects.sections', { count: sections }),
            waits && notice === null && t('projects.waitsForVectors'),
          ]
            .filter(Boolean)
            .join(' · ')}
        </Text>
        {notice !== null && (
          <Text textStyle="sm" color={state === 'failed' ? 'fg.error' : 'fg.muted'}>
            {notice}
          </Text>
        )}
      </Stack>
      <Flex gap="1" align="center">
        <Badge colorPalette={COLOURS[state]}>{t(`projects.state.${state}`)}</Badge>
        {onRemove && <DeleteButton label={t('projects.deleteFileOf', { name })} onClick={onRemove} />}
      </Flex>
    </Flex>
  );
}
