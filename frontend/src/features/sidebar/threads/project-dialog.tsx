import { Link as TextLink, Skeleton, Stack, Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Thread, UpdateThreadRequest } from '@tanya/contract';
import { useRef, useState } from 'react';
import { api } from '../../../app/api/api-client';
import { t } from '../../../app/i18n/translate';
import { projectParams, projectsQuery, PROJECT_ROUTE } from '../../../app/queries/projects.query';
import { queryClient } from '../../../app/queries/query-client';
import { QUERY_KEYS } from '../../../app/queries/query-keys';
import { threadQuery } from '../../../app/queries/threads.query';
import { useSingleFlightMutation } from '../../../app/queries/use-single-flight-mutation';
import { FormModal } from '../../../components/dialogs/form-modal';
import { fail } from '../../../components/feedback/fail';
import { LoadError } from '../../../components/feedback/load-error';
import { notify } from '../../../components/feedback/notify';
import { FormField } from '../../../components/forms/form-field';
import { Select } from '../../../components/forms/select';

interface ProjectDialogProps {
  threadId: number;
  onClose: () => void;
}

/** Moves a chat into a project, into another one, or out of its project. */
export default function ProjectDialog({ threadId, onClose }: ProjectDialogProps) {
  const projects = useQuery(projectsQuery);
  const thread = useQuery(threadQuery(threadId));
  const [chosen, setChosen] = useState<string>();
  const select = useRef<HTMLSelectElement>(null);
  const move = useMoveThread(threadId, onClose);
  const present = String(thread.data?.projectId ?? '');
  const wanted = chosen ?? present;
  const isEmpty = projects.data?.length === 0;
  return (
    <FormModal
      isQuick
      size="sm"
      title={t('projects.moveTitle')}
      description={t('projects.moveHint')}
      action={t('projects.moveAction')}
      pending={move.isPending}
      disabled={wanted === present}
      initialFocus={select}
      onSubmit={() => move.mutate(wanted === '' ? null : Number(wanted))}
      onClose={onClose}
    >
      {(projects.isPending || thread.isPending) && <Skeleton height="4rem" />}
      {projects.isError && <LoadError message={t('projects.loadError')} onRetry={projects.refetch} />}
      {isEmpty && (
        <Stack gap="2">
          <Text>{t('projects.none')}</Text>
          <TextLink asChild colorPalette="jade">
            <Link to={PROJECT_ROUTE} params={projectParams()} onClick={onClose}>
              {t('projects.title')}
            </Link>
          </TextLink>
        </Stack>
      )}
      {projects.data && thread.data && !isEmpty && (
        <FormField label={t('projects.project')}>
          <Select
            ref={select}
            value={wanted}
            onChange={({ target }) => setChosen(target.value)}
            options={[
              ['', t('projects.noProject')],
              ...projects.data.map(({ id, name }): [string, string] => [String(id), name]),
            ]}
          />
        </FormField>
      )}
    </FormModal>
  );
}

/** Stores the project of a thread; null takes it out of its project. */
function useMoveThread(threadId: number, onDone: () => void) {
  return useSingleFlightMutation({
    mutationFn: (projectId: number | null) =>
      api.patch<Thread>(`/api/chat/threads/${threadId}`, { projectId } satisfies UpdateThreadRequest),
    onSuccess: (thread) => {
      queryClient.setQueryData(threadQuery(threadId).queryKey, thread);
      void queryClient.invalidateQueries({ queryKey: QUERY_KEYS.threadLists });
      void queryClient.invalidateQueries({ queryKey: projectsQuery.queryKey });
      notify({ title: t(thread.projectId === null ? 'projects.movedOut' : 'projects.moved') });
      onDone();
    },
    onError: fail('projects.moveError'),
  });
}
