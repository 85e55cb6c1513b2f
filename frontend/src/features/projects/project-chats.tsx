import { Link as TextLink, Skeleton, Stack, Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { t } from '../../app/i18n/translate';
import { LoadError } from '../../components/feedback/load-error';
import { Panel } from '../../components/layout/panel';
import { projectThreadsQuery } from '../../app/queries/projects.query';

/** The own chats of a project: nobody else sees them. */
export function ProjectChats({ id }: { id: number }) {
  const threads = useQuery({ ...projectThreadsQuery(id), refetchOnMount: 'always' });
  return (
    <Panel title={t('projects.chats')} hint={t('projects.chatsHint')}>
      {threads.isPending && <Skeleton height="4rem" />}
      {threads.isError && <LoadError message={t('projects.chatsError')} onRetry={() => void threads.refetch()} />}
      {threads.data?.length === 0 && <Text color="fg.muted">{t('projects.noChats')}</Text>}
      <Stack as="ul" gap="2" listStyleType="none" aria-label={t('projects.chats')}>
        {threads.data?.map((thread) => (
          <li key={thread.id}>
            <TextLink asChild colorPalette="jade" overflowWrap="anywhere">
              <Link to="/chat/$id" params={{ id: thread.id }}>
                {thread.title}
              </Link>
            </TextLink>
          </li>
        ))}
      </Stack>
    </Panel>
  );
}
