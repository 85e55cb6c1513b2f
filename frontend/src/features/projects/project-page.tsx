import { Button, Flex, Link as TextLink, Skeleton, Stack, Text } from '@chakra-ui/react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ProjectDetails, SearchHit } from '@tanya/contract';
import { MessageSquarePlus } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { focusNextPage } from '../../app/browser/focus-main';
import { hasCode } from '../../app/api/api-error';
import { addressQuote } from '../../app/browser/address-quote';
import { t } from '../../app/i18n/translate';
import { currentUserQuery } from '../../app/queries/user.query';
import { DropZone } from '../../components/files/drop-zone';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog';
import { LoadError } from '../../components/feedback/load-error';
import { NotFoundPage } from '../../components/layout/not-found-page';
import { PageShell } from '../../components/layout/page-shell';
import { Panel } from '../../components/layout/panel';
import { addDropped } from './file-uploads';
import { type Dropped, droppedIn } from './folder-files';
import { ProjectFiles } from './project-files';
import { ProjectForm } from './project-form';
import { ProjectMembersPanel } from './project-members';
import { useDeleteProject, useLeaveProject } from './project-mutations';
import {
  PROJECT_ROUTE,
  projectParams,
  projectQuery,
  projectSearchQuery,
  projectThreadsQuery,
} from '../../app/queries/projects.query';
import { pastedFiles } from '../../components/files/pasted-files';
import { SearchField } from '../../components/forms/search-field';
import { useDebounced } from '../../components/hooks/use-debounced';

/** One project: its chats, files, search, instructions and members. */
export function ProjectPage({ id }: { id: number }) {
  const isId = Number.isSafeInteger(id) && id > 0;
  const project = useQuery({ ...projectQuery(id), enabled: isId, refetchOnMount: 'always' });
  if (!isId || (project.isError && hasCode(project.error, 'not_found'))) return <NotFoundPage />;
  if (project.data === undefined)
    return (
      <PageShell title={t('projects.title')} sentence={t('projects.sentence')}>
        {project.isError ? (
          <LoadError message={t('projects.loadError')} onRetry={project.refetch} />
        ) : (
          <Skeleton height="12rem" role="status" aria-label={t('projects.loading')} />
        )}
      </PageShell>
    );
  return <LoadedProject project={project.data} />;
}

function LoadedProject({ project }: { project: ProjectDetails }) {
  const { id, name, role, owner, embedding } = project;
  const mayEdit = role !== 'viewer';
  usePastedFiles(mayEdit, (files) => void addDropped(id, files));
  return (
    <DropZone
      direction="column"
      height="100%"
      disabled={!mayEdit}
      hint={t('projects.drop')}
      onFiles={(_, dropped) => void addDropped(id, droppedIn(dropped))}
    >
      <PageShell
        title={name}
        sentence={
          role === 'owner' ? t('projects.ownSentence') : t('projects.of', { name: owner.fullName ?? owner.username })
        }
        action={
          <Button asChild colorPalette="jade">
            <Link to="/" search={{ project: id }}>
              <MessageSquarePlus aria-hidden /> {t('projects.newChat')}
            </Link>
          </Button>
        }
      >
        <ProjectChats id={id} />
        <ProjectFiles id={id} mayEdit={mayEdit} embedding={embedding} />
        <ProjectSearch id={id} />
        <ProjectForm project={project} mayEdit={mayEdit} />
        <ProjectMembersPanel project={project} />
        <End project={project} />
      </PageShell>
    </DropZone>
  );
}

/** Deletes the project, or leaves it. */
function End({ project: { id, name, role } }: { project: ProjectDetails }) {
  const navigate = useNavigate();
  const { data: user } = useQuery(currentUserQuery);
  const [isOpen, setOpen] = useState(false);
  const done = () => {
    focusNextPage();
    // Edits of a project that is no longer there cannot be saved.
    void navigate({ to: PROJECT_ROUTE, params: projectParams(), ignoreBlocker: true });
  };
  const remove = useDeleteProject(id, done);
  const leave = useLeaveProject(id, user?.id ?? 0, done);
  const isOwner = role === 'owner';
  const end = isOwner ? remove : leave;
  return (
    <Panel title={t(isOwner ? 'projects.delete' : 'projects.leave')}>
      <Flex>
        <Button variant="outline" colorPalette="red" onClick={() => setOpen(true)}>
          {t(isOwner ? 'projects.deleteAction' : 'projects.leaveAction')}
        </Button>
      </Flex>
      {isOpen && (
        <ConfirmDialog
          title={t(isOwner ? 'projects.delete' : 'projects.leave')}
          question={t(isOwner ? 'projects.deleteQuestion' : 'projects.leaveQuestion', { name })}
          action={isOwner ? undefined : t('projects.leaveConfirm')}
          pending={end.isPending}
          onConfirm={() => end.mutate(undefined)}
          onClose={() => setOpen(false)}
        />
      )}
    </Panel>
  );
}

/** The own chats of a project: nobody else sees them. */
function ProjectChats({ id }: { id: number }) {
  const threads = useQuery({ ...projectThreadsQuery(id), refetchOnMount: 'always' });
  return (
    <Panel title={t('projects.chats')} hint={t('projects.chatsHint')}>
      {threads.isPending && <Skeleton height="4rem" />}
      {threads.isError && <LoadError message={t('projects.chatsError')} onRetry={threads.refetch} />}
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

/** Hands on the files that are pasted anywhere on the page, but in dialogs. Fields keep the texts that are pasted there. */
function usePastedFiles(isOn: boolean, onFiles: (files: Dropped[]) => void): void {
  const paste = useEffectEvent((event: ClipboardEvent) => {
    const { clipboardData, target } = event;
    if (clipboardData === null || event.defaultPrevented || pastedFiles(clipboardData).length === 0) return;
    const at = target instanceof Element ? target : document.body;
    if (at.closest('[role=dialog], [role=alertdialog]') !== null) return;
    const isField = at.closest('input, textarea, [contenteditable]') !== null;
    if (isField && clipboardData.types.includes('text/plain')) return;
    event.preventDefault();
    onFiles(droppedIn(clipboardData));
  });
  useEffect(() => {
    if (!isOn) return;
    const listen = (event: ClipboardEvent) => paste(event);
    document.addEventListener('paste', listen);
    return () => document.removeEventListener('paste', listen);
  }, [isOn]);
}

const DEBOUNCE_MS = 300;

/** Finds the passages that answers would get. */
function ProjectSearch({ id }: { id: number }) {
  const [text, setText] = useState('');
  const query = useDebounced(text.trim(), DEBOUNCE_MS);
  const hits = useQuery({ ...projectSearchQuery(id, query), placeholderData: keepPreviousData });
  const found = query === '' ? undefined : hits.data;
  return (
    <Panel title={t('projects.search')} hint={t('projects.searchHint')}>
      <Stack gap="3">
        <SearchField label={t('projects.searchLabel')} value={text} onChange={setText} maxW="100%" />
        {hits.isError && <LoadError message={t('projects.searchError')} onRetry={hits.refetch} />}
        {found?.length === 0 && (
          <Text role="status" color="fg.muted">
            {t('projects.nothingFound')}
          </Text>
        )}
        <Stack as="ol" gap="4" listStyleType="none" aria-label={t('projects.hits')}>
          {found?.map((hit, index) => (
            <Hit key={index} projectId={id} hit={hit} />
          ))}
        </Stack>
      </Stack>
    </Panel>
  );
}

function Hit({ projectId, hit: { fileId, name, section, label, quote } }: { projectId: number; hit: SearchHit }) {
  return (
    <Stack as="li" gap="1">
      <TextLink asChild colorPalette="jade" fontWeight="medium" overflowWrap="anywhere">
        <Link
          to={PROJECT_ROUTE}
          params={projectParams(projectId, fileId)}
          search={{ section, quote: addressQuote(quote) }}
        >
          {label === '' ? name : `${name} · ${label}`}
        </Link>
      </TextLink>
      <Text textStyle="sm" color="fg.muted" lineClamp={4} whiteSpace="pre-line" overflowWrap="anywhere" dir="auto">
        {quote}
      </Text>
    </Stack>
  );
}
