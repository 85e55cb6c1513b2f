import { Button, Flex, Grid, Input, Stack, Text } from '@chakra-ui/react';
import { LIMITS, type MemberRole, type ProjectDetails, type ProjectMember, type ProjectPerson } from '@tanya/contract';
import { useForm } from 'react-hook-form';
import { DeleteButton } from '../../components/buttons/row-buttons';
import { t } from '../../app/i18n/translate';
import { FormField } from '../../components/forms/form-field';
import { Select } from '../../components/forms/select';
import { useFocusRecovery } from '../../components/hooks/use-focus-recovery';
import { Panel } from '../../components/layout/panel';
import { useRemoveMember, useSetMembers } from './project-mutations';

const nameOf = ({ fullName, username }: ProjectPerson): string => (fullName ? `${fullName} (${username})` : username);

const roleOptions = (): [MemberRole, string][] => [
  ['viewer', t('projects.role.viewer')],
  ['editor', t('projects.role.editor')],
];

/** Who belongs to a project. The owner adds people by their exact name. */
export function ProjectMembersPanel({ project }: { project: ProjectDetails }) {
  const { id, owner, members, role } = project;
  const isOwner = role === 'owner';
  const add = useSetMembers(id);
  const recoverFocus = useFocusRecovery();
  const { register, handleSubmit, reset } = useForm<{ username: string; role: MemberRole }>({
    defaultValues: { username: '', role: 'viewer' },
  });
  const submit = handleSubmit(({ username, role }) =>
    add.mutate((members) => [...members, { username: username.trim(), role }], { onSuccess: () => reset() }),
  );
  return (
    <Panel title={t('projects.members')} hint={t('projects.membersHint')}>
      <Stack gap="4">
        <Stack ref={recoverFocus} as="ul" gap="2" listStyleType="none" aria-label={t('projects.members')}>
          <Flex as="li" gap="3" align="center" justify="space-between">
            <Text overflowWrap="anywhere">{nameOf(owner)}</Text>
            <Text color="fg.muted">{t('projects.role.owner')}</Text>
          </Flex>
          {members.map((member) => (
            <Flex as="li" key={member.id} gap="3" align="center" justify="space-between" wrap="wrap">
              <Text minW="0" overflowWrap="anywhere">
                {nameOf(member)}
              </Text>
              {isOwner ? (
                <MemberActions projectId={id} member={member} />
              ) : (
                <Text color="fg.muted">{t(`projects.role.${member.role}`)}</Text>
              )}
            </Flex>
          ))}
        </Stack>
        {isOwner && (
          <form noValidate autoComplete="off" onSubmit={submit}>
            <Grid gap="3" alignItems="end" justifyItems="start" templateColumns={{ base: '1fr', md: '1fr 12rem auto' }}>
              <FormField label={t('projects.username')}>
                <Input maxLength={LIMITS.username.max} {...register('username', { required: true })} />
              </FormField>
              <FormField label={t('projects.roleLabel')}>
                <Select {...register('role')} options={roleOptions()} />
              </FormField>
              <Button type="submit" variant="outline" loading={add.isPending}>
                {t('projects.addMember')}
              </Button>
            </Grid>
          </form>
        )}
      </Stack>
    </Panel>
  );
}

function MemberActions({ projectId, member: { id, username, role } }: { projectId: number; member: ProjectMember }) {
  const set = useSetMembers(projectId);
  const remove = useRemoveMember(projectId, id);
  const change = (changed: MemberRole) =>
    set.mutate((members) => members.map((each) => (each.userId === id ? { ...each, role: changed } : each)));
  return (
    <Flex gap="1" align="center">
      <Select
        root={{ size: 'sm' }}
        aria-label={t('projects.roleOf', { name: username })}
        value={role}
        options={roleOptions()}
        onChange={(event) => change(event.target.value as MemberRole)}
      />
      <DeleteButton label={t('common.removeNamed', { name: username })} onClick={() => remove.mutate()} />
    </Flex>
  );
}
