import { Badge, Button, Flex, Link as TextLink, Stack, Text } from '@chakra-ui/react';
import { Link } from '@tanstack/react-router';
import type { ProjectFile } from '@tanya/contract';
import { useState } from 'react';
import { noticeText } from '../../app/i18n/error-sentence';
import { letters } from '../../components/forms/letters';
import { sizeText } from '../../app/i18n/size-text';
import { t } from '../../app/i18n/translate';
import { PROJECT_ROUTE, projectParams, waitsForVectors } from '../../app/queries/projects.query';
import { DeleteButton } from '../../components/buttons/row-buttons';
import { SearchField } from '../../components/forms/search-field';

const COLOURS = { reading: 'gray', ready: 'jade', failed: 'red' } as const;

/** Rows that are shown at first, and that each click adds: a project may have thousands of files. */
const ROWS = 50;

interface FileListProps {
  projectId: number;
  files: readonly ProjectFile[];
  /** Whether there is an embedding model, whose vectors a file may wait for. */
  hasEmbedding: boolean;
  /** Absent for those who may not remove a file. */
  onRemove: ((file: ProjectFile) => void) | undefined;
}

/** The files of a project: those that cannot be read first, where they would be missed among many. */
export function FileList({ projectId, files, hasEmbedding, onRemove }: FileListProps) {
  const [text, setText] = useState('');
  const [rows, setRows] = useState(ROWS);
  const isLong = files.length > ROWS;
  const wanted = isLong ? letters(text.trim()) : '';
  const found = files.filter(({ name }) => letters(name).includes(wanted));
  const ordered = [
    ...found.filter(({ state }) => state === 'failed'),
    ...found.filter(({ state }) => state !== 'failed'),
  ];
  const hidden = ordered.length - rows;
  return (
    <Stack gap="3">
      {files.length > 1 && <Text color="fg.muted">{countsOf(files)}</Text>}
      {isLong && <SearchField label={t('projects.findFile')} value={text} onChange={setText} maxW="100%" />}
      {files.length > 0 && found.length === 0 && (
        <Text role="status" color="fg.muted">
          {t('projects.noFileFound')}
        </Text>
      )}
      <Stack as="ul" gap="3" listStyleType="none" aria-label={t('projects.files')}>
        {ordered.slice(0, rows).map((file) => (
          <FileRow
            key={file.id}
            projectId={projectId}
            file={file}
            waits={hasEmbedding && waitsForVectors(file)}
            onRemove={onRemove && (() => onRemove(file))}
          />
        ))}
      </Stack>
      {hidden > 0 && (
        <Button size="sm" variant="outline" alignSelf="start" onClick={() => setRows(rows + ROWS)}>
          {t('projects.moreFiles', { count: Math.min(hidden, ROWS) })}
        </Button>
      )}
    </Stack>
  );
}

function countsOf(files: readonly ProjectFile[]): string {
  const count = { ready: 0, reading: 0, failed: 0 };
  for (const { state } of files) count[state] += 1;
  return t('projects.counts', { total: files.length, ...count });
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
