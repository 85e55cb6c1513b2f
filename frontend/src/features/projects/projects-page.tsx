import { Button, Flex, Input, Link as TextLink, Skeleton, Stack, Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { PROJECT_LIMITS } from '@tanya/contract';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { focusNextPage } from '../../app/browser/focus-main';
import { t } from '../../app/i18n/translate';
import { FormModal } from '../../components/dialogs/form-modal';
import { LoadError } from '../../components/feedback/load-error';
import { FormField } from '../../components/forms/form-field';
import { PageShell } from '../../components/layout/page-shell';
import { Panel } from '../../components/layout/panel';
import { useCreateProject } from './project-mutations';
import { projectsQuery, PROJECT_ROUTE, projectParams } from '../../app/queries/projects.query';

export function ProjectsPage() {
  const projects = useQuery({ ...projectsQuery, refetchOnMount: 'always' });
  const [isAdding, setAdding] = useState(false);
  const all = projects.data;
  return (
    <PageShell
      title={t('projects.title')}
      sentence={t('projects.sentence')}
      action={
        <Button colorPalette="jade" onClick={() => setAdding(true)}>
          <Plus aria-hidden /> {t('projects.add')}
        </Button>
      }
    >
      <Panel title={t('projects.list')}>
        {projects.isPending && <Skeleton height="8rem" role="status" aria-label={t('projects.loading')} />}
        {projects.isLoadingError && <LoadError message={t('projects.loadError')} onRetry={projects.refetch} />}
        {all?.length === 0 && <Text color="fg.muted">{t('projects.none')}</Text>}
        <Stack as="ul" gap="3" listStyleType="none" aria-label={t('projects.list')}>
          {all?.map(({ id, name, role, owner }) => (
            <Flex as="li" key={id} gap="3" align="baseline" justify="space-between" wrap="wrap">
              <TextLink asChild colorPalette="jade" fontWeight="medium" overflowWrap="anywhere">
                <Link to={PROJECT_ROUTE} params={projectParams(id)}>
                  {name}
                </Link>
              </TextLink>
              <Text color="fg.muted" textStyle="sm">
                {role === 'owner' ? t('projects.own') : t('projects.of', { name: owner.fullName ?? owner.username })}
              </Text>
            </Flex>
          ))}
        </Stack>
      </Panel>
      {isAdding && <NewProjectDialog onClose={() => setAdding(false)} />}
    </PageShell>
  );
}

function NewProjectDialog({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const { register, handleSubmit, formState } = useForm({ defaultValues: { name: '' } });
  const create = useCreateProject(({ id }) => {
    focusNextPage();
    void navigate({ to: PROJECT_ROUTE, params: projectParams(id) });
  });
  return (
    <FormModal
      title={t('projects.addTitle')}
      action={t('projects.create')}
      pending={create.isPending}
      onSubmit={handleSubmit(({ name }) => create.mutate({ name: name.trim() }))}
      onClose={onClose}
    >
      <FormField label={t('common.name')} error={formState.errors.name?.message}>
        <Input
          maxLength={PROJECT_LIMITS.name.max}
          {...register('name', { validate: (name) => name.trim() !== '' || t('projects.nameRequired') })}
        />
      </FormField>
    </FormModal>
  );
}
