import { Alert, Button, Flex, List, Progress, Stack, VisuallyHidden } from '@chakra-ui/react';
import { t } from '../../app/i18n/translate';
import { type FileUploads, forgetRefused, stopAdding, useFileUploads } from './file-uploads';

/** Refused files whose names are shown. */
const SHOWN = 20;

/** How far the uploads of this page are, and which files were not added. */
export function AddingFiles({ projectId }: { projectId: number }) {
  const uploads = useFileUploads(projectId);
  const { total, ended, refused, isRunning } = uploads;
  const adding = t('projects.adding', { ended, total });
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
          <Progress.Root colorPalette="jade" size="xs" min={0} max={total} value={ended}>
            <Progress.Track aria-label={adding}>
              <Progress.Range />
            </Progress.Track>
          </Progress.Root>
        </Stack>
      )}
      {refused.length > 0 && (
        // Read aloud once, at the end: a new element, because a role that is added later is not.
        <Alert.Root key={String(isRunning)} status="error" role={isRunning ? undefined : 'alert'}>
          <Alert.Indicator />
          <Alert.Content minW="0">
            <Alert.Title>{t('projects.notAdded', { count: refused.length })}</Alert.Title>
            <Alert.Description>
              <List.Root>
                {refused.slice(0, SHOWN).map(({ name, reason }, at) => (
                  <List.Item key={at} overflowWrap="anywhere">
                    {name}: {reason}
                  </List.Item>
                ))}
                {refused.length > SHOWN && (
                  <List.Item>{t('projects.moreNotAdded', { count: refused.length - SHOWN })}</List.Item>
                )}
              </List.Root>
            </Alert.Description>
            {!isRunning && (
              <Button size="sm" variant="outline" alignSelf="start" mt="2" onClick={() => forgetRefused(projectId)}>
                {t('projects.forgetRefused')}
              </Button>
            )}
          </Alert.Content>
        </Alert.Root>
      )}
    </>
  );
}

/** What is read aloud: the beginning, each quarter, and the end. */
function spoken({ total, ended, refused, isRunning }: FileUploads): string {
  const quarter = Math.ceil(total / 4);
  if (isRunning) return t('projects.adding', { ended: ended - (ended % quarter), total });
  const count = ended - refused.length;
  return count > 0 ? t('projects.added', { count }) : '';
}
