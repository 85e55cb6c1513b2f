import { Button, Flex, Skeleton, Stack, Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { type Group, UNLIMITED } from '@tanya/contract';
import { Plus, Users } from 'lucide-react';
import { useState } from 'react';
import { hasCode } from '../../app/api/api-error';
import { formatUsd } from '../../app/i18n/report-formats';
import { DeleteButton, EditButton } from '../../components/buttons/row-buttons';
import { t } from '../../app/i18n/translate';
import { groupsQuery } from '../../app/queries/groups.query';
import { CsvButton } from '../../components/buttons/csv-button';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog';
import { LoadError } from '../../components/feedback/load-error';
import { useFocusRecovery } from '../../components/hooks/use-focus-recovery';
import { PageShell } from '../../components/layout/page-shell';
import { Panel } from '../../components/layout/panel';
import { AccessMatrix } from './access-matrix';
import { GroupDialog } from './group-dialog';
import { useDeleteGroup } from './group-mutations';
import { MembersDialog } from './members-dialog';

type Open = { kind: 'add' } | { kind: 'edit' | 'members' | 'delete'; group: Group };

/** The groups of members, and which models they may use. */
export default function GroupsPage() {
  const groups = useQuery({ ...groupsQuery, refetchOnMount: 'always' });
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  const recoverFocus = useFocusRecovery();
  const all = groups.data;
  return (
    <PageShell
      title={t('sidebar.groups')}
      sentence={t('groups.sentence')}
      action={
        <Flex gap="2" wrap="wrap">
          <CsvButton path="/api/admin/groups.csv" />
          <Button colorPalette="jade" onClick={() => setOpen({ kind: 'add' })}>
            <Plus aria-hidden /> {t('groups.add')}
          </Button>
        </Flex>
      }
    >
      <Panel title={t('groups.list')}>
        {groups.isPending && <Skeleton height="8rem" role="status" aria-label={t('groups.loading')} />}
        {groups.isLoadingError && <LoadError message={t('groups.loadError')} onRetry={groups.refetch} />}
        {all?.length === 0 && <Text color="fg.muted">{t('groups.none')}</Text>}
        <Stack ref={recoverFocus} as="ul" gap="3" listStyleType="none" aria-label={t('groups.list')}>
          {all?.map((group) => (
            <GroupRow key={group.id} group={group} onOpen={(kind) => setOpen({ kind, group })} />
          ))}
        </Stack>
      </Panel>
      {all && all.length > 0 && <AccessMatrix groups={all} />}
      {open?.kind === 'add' && <GroupDialog group={null} onClose={close} />}
      {open?.kind === 'edit' && <GroupDialog group={open.group} onClose={close} />}
      {open?.kind === 'members' && <MembersDialog group={open.group} onClose={close} />}
      {open?.kind === 'delete' && <DeleteGroupDialog group={open.group} onClose={close} />}
    </PageShell>
  );
}

interface GroupRowProps {
  group: Group;
  onOpen: (kind: 'edit' | 'members' | 'delete') => void;
}

function GroupRow({ group, onOpen }: GroupRowProps) {
  const { name } = group;
  return (
    <Flex as="li" gap="3" align="center" justify="space-between" wrap="wrap">
      <Stack gap="0" minW="0" flex="1 1 12rem">
        <Text fontWeight="medium" overflowWrap="anywhere">
          {name}
        </Text>
        <Text color="fg.muted" textStyle="sm">
          {termsOf(group).join(' · ')}
        </Text>
      </Stack>
      <Flex gap="1">
        <Button
          size="xs"
          variant="outline"
          onClick={() => onOpen('members')}
          aria-label={t('groups.membersOf', { name })}
        >
          <Users aria-hidden /> {t('groups.members')}
        </Button>
        <EditButton label={t('common.editNamed', { name })} onClick={() => onOpen('edit')} />
        <DeleteButton label={t('common.deleteNamed', { name })} onClick={() => onOpen('delete')} />
      </Flex>
    </Flex>
  );
}

/** What belongs to a group, in words. */
function termsOf({ memberCount, quotaOverride, budgetUsd, externalName }: Group): string[] {
  const terms = [t('groups.count', { count: memberCount })];
  if (quotaOverride === UNLIMITED) terms.push(t('groups.messagesUnlimited'));
  else if (quotaOverride !== null) terms.push(t('groups.messages', { limit: quotaOverride }));
  if (budgetUsd !== null)
    terms.push(Number(budgetUsd) < 0 ? t('groups.usdUnlimited') : t('groups.usd', { limit: formatUsd(budgetUsd) }));
  if (externalName !== null) terms.push(t('groups.external', { name: externalName }));
  return terms;
}

function DeleteGroupDialog({ group: { id, name }, onClose }: { group: Group; onClose: () => void }) {
  const remove = useDeleteGroup(id, onClose);
  const isUsed = hasCode(remove.error, 'group_in_use');
  return (
    <ConfirmDialog
      key={String(isUsed)}
      title={t('groups.deleteTitle')}
      question={t(isUsed ? 'groups.usedQuestion' : 'groups.deleteQuestion', { name })}
      action={t(isUsed ? 'groups.deleteAnyway' : 'common.delete')}
      pending={remove.isPending}
      pendingText={t('threads.deleting')}
      onConfirm={() => remove.mutate(isUsed)}
      onClose={onClose}
    />
  );
}
