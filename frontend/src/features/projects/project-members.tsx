import { Button, Flex, Grid, Input, Stack, Text } from '@chakra-ui/react';
import { type GivenMember, LIMITS, type MemberRole, type ProjectDetails, type ProjectPerson } from '@tanya/contract';
import { useForm } from 'react-hook-form';
import { DeleteButton } from '../../components/buttons/row-buttons';
import { t } from '../../app/i18n/translate';
import { FormField } from '../../components/forms/form-field';
import { Select } from '../../components/forms/select';
import { useFocusRecovery } from '../../components/hooks/use-focus-recovery';
import { Panel } from '../../components/layout/panel';
import { useSetMembers } from './project-mutations';

const nameOf = ({ fullName, username }: ProjectPerson): string => (fullName ? `${fullName} (${username})` : username);

const roleOptions = (): [MemberRole, string][] => [
  ['viewer', t('projects.role.viewer')],
  ['editor', t('projects.role.editor')],
];

/** Who belongs to a project. The owner adds people by their exact name. */
export function ProjectMembersPanel({ project }: { project: ProjectDetails }) {
  const { id, owner, members, role } = project;
  const isOwner = role === 'owner';
  const set = useSetMembers(id);
  const recoverFocus = useFocusRecovery();
  const { register, handleSubmit, reset } = useForm<{ username: string; role: MemberRole }>({
    defaultValues: { username: '', role: 'viewer' },
  });
  const given = members.map((member): GivenMember => ({ userId: member.id, role: member.role }));
  const change = (userId: number, changed: MemberRole | null) =>
    set.mutate(
      given.flatMap((member) => {
        if (member.userId !== userId) return [member];
        return changed === null ? [] : [{ ...member, role: changed }];
      }),
    );
  const add = handleSubmit((values) =>
    set.mutate([...given, { username: values.username.trim(), role: values.role }], { onSuccess: () => reset() }),
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
                <Flex gap="1" align="center">
                  <Select
                    root={{ size: 'sm' }}
                    aria-label={t('projects.roleOf', { name: member.username })}
                    value={member.role}
                    options={roleOptions()}
                    onChange={(event) => change(member.id, event.target.value as MemberRole)}
                  />
                  <DeleteButton
                    label={t('common.removeNamed', { name: member.username })}
                    onClick={() => change(member.id, null)}
                  />
                </Flex>
              ) : (
                <Text color="fg.muted">{t(`projects.role.${member.role}`)}</Text>
              )}
            </Flex>
          ))}
        </Stack>
        {isOwner && (
          <form noValidate autoComplete="off" onSubmit={add}>
            <Grid gap="3" alignItems="end" justifyItems="start" templateColumns={{ base: '1fr', md: '1fr 12rem auto' }}>
              <FormField label={t('projects.username')}>
                <Input maxLength={LIMITS.username.max} {...register('username', { required: true })} />
              </FormField>
              <FormField label={t('projects.roleLabel')}>
                <Select {...register('role')} options={roleOptions()} />
              </FormField>
              <Button type="submit" variant="outline" loading={set.isPending}>
                {t('projects.addMember')}
              </Button>
            </Grid>
          </form>
        )}
      </Stack>
    </Panel>
  );
}
