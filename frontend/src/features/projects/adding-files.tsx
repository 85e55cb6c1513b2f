import { Box, Button, Flex, Progress, Stack, type StackProps, Text, VisuallyHidden } from '@chakra-ui/react';
import { t } from '../../app/i18n/translate';
import { type FileUploads, forgetNotAdded, stopAdding, useFileUploads } from './file-uploads';
import { MAX_ENTRIES } from './folder-files';

/** Refused files whose names are shown. */
const SHOWN = 20;

/** Skipped files of one kind whose paths are shown. */
const SHOWN_SKIPPED = 3;

/** How far the uploads of this page are, and which files were not added. */
export function AddingFiles({ projectId }: { projectId: number }) {
  const uploads = useFileUploads(projectId);
  const { total, ended, refused, isRunning } = uploads;
  const skipped = skippedLines(uploads);
  const adding = total === 0 ? t('projects.lookingThrough') : t('projects.adding', { ended, total });
  return (
    <>
      <VisuallyHidden role="status">{spoken(uploads)}</VisuallyHidden>
      {isRunning && (
        <Stack gap="2">
          <Flex gap="3" align="center" justify="space-between" wrap="wrap">
            <span>{adding}</span>
            <Button size="sm" variant="ghost" onClick={() => stopAdding(projectId)}>
              {t('projects.stopAdding')}
            </Button>
          </Flex>
          <Progress.Root
            colorPalette="jade"
            size="xs"
            min={0}
            max={Math.max(total, 1)}
            value={total === 0 ? null : ended}
          >
            <Progress.Track aria-label={adding}>
              <Progress.Range />
            </Progress.Track>
          </Progress.Root>
        </Stack>
      )}
      {refused.length > 0 && (
        // Read aloud once, at the end: a new element, because a role that is added later is not.
        <LeftOut
          key={String(isRunning)}
          role={isRunning ? undefined : 'alert'}
          title={t('projects.notAdded', { count: refused.length })}
          lines={[
            ...refused.slice(0, SHOWN).map(({ name, reason }) => `${name}: ${reason}`),
            ...(refused.length > SHOWN ? [t('projects.moreNotAdded', { count: refused.length - SHOWN })] : []),
          ]}
          bg="bg.error"
          color="fg.error"
        >
          {!isRunning && <ForgetButton projectId={projectId} />}
        </LeftOut>
      )}
      {!isRunning && skipped.length > 0 && (
        <LeftOut title={t('projects.skipped')} lines={skipped} bg="bg.info" color="fg.info">
          {refused.length === 0 && <ForgetButton projectId={projectId} />}
        </LeftOut>
      )}
    </>
  );
}

interface LeftOutProps extends StackProps {
  title: string;
  lines: readonly string[];
}

function LeftOut({ title, lines, children, ...props }: LeftOutProps) {
  return (
    <Stack gap="1" p="3" borderRadius="l2" textStyle="sm" {...props}>
      <Text fontWeight="medium">{title}</Text>
      <Stack as="ul" gap="1" ps="5" listStyleType="disc">
        {lines.map((line, at) => (
          <Box as="li" key={at} display="list-item" overflowWrap="anywhere">
            {line}
          </Box>
        ))}
      </Stack>
      {children}
    </Stack>
  );
}

function ForgetButton({ projectId }: { projectId: number }) {
  return (
    <Button size="sm" variant="outline" alignSelf="start" mt="2" onClick={() => forgetNotAdded(projectId)}>
      {t('projects.forgetRefused')}
    </Button>
  );
}

/** Which files were left out, a line for each reason. */
function skippedLines({ skipped: { same, hidden, empty, kind }, isCut, isFolderEmpty }: FileUploads): string[] {
  const line = (paths: readonly string[], text: (values: { count: number; names: string }) => string) =>
    paths.length === 0 ? [] : [text({ count: paths.length, names: namesIn(paths) })];
  return [
    ...line(same, (values) => t('projects.skippedSame', values)),
    ...line(kind, (values) => t('projects.skippedKind', values)),
    ...line(empty, (values) => t('projects.skippedEmpty', values)),
    ...line(hidden, (values) => t('projects.skippedHidden', values)),
    ...(isCut ? [t('projects.folderCut', { max: MAX_ENTRIES })] : []),
    ...(isFolderEmpty ? [t('projects.folderEmpty')] : []),
  ];
}

function namesIn(paths: readonly string[]): string {
  const shown = paths.slice(0, SHOWN_SKIPPED);
  return [...shown, ...(paths.length > SHOWN_SKIPPED ? ['…'] : [])].join(', ');
}

/** What is read aloud: the beginning, each quarter, and the end with what was skipped. */
function spoken(uploads: FileUploads): string {
  const { total, ended, refused, skipped: left, isRunning } = uploads;
  if (isRunning && total === 0) return t('projects.lookingThrough');
  const quarter = Math.ceil(total / 4);
  if (isRunning) return t('projects.adding', { ended: ended - (ended % quarter), total });
  const count = ended - refused.length - left.same.length;
  const skipped = skippedLines(uploads);
  return [
    ...(count > 0 ? [t('projects.added', { count })] : []),
    ...(skipped.length > 0 ? [t('projects.skipped'), ...skipped] : []),
  ].join('. ');
}
