import { useQuery } from '@tanstack/react-query';
import type { Group } from '@tanya/contract';
import { useForm, useWatch } from 'react-hook-form';
import { t } from '../../app/i18n/translate';
import { groupsQuery } from '../../app/queries/groups.query';
import { FormCheckbox } from '../../components/forms/form-checkbox';
import { FormField } from '../../components/forms/form-field';
import { Select } from '../../components/forms/select';
import { BatchDialog } from '../../components/tables/batch-dialog';
import type { Selection } from '../../components/tables/selection';
import { type PeopleChange, useChangePeople } from './user-batch';

/** '' changes nothing. */
interface BatchValues {
  account: '' | 'approve' | 'suspend' | 'resume';
  plan: '' | 'free' | 'premium';
  joined: string;
  left: string;
  mustChangePassword: boolean;
}

const NO_CHANGE: BatchValues = { account: '', plan: '', joined: '', left: '', mustChangePassword: false };

const isEmpty = (values: Partial<BatchValues>): boolean => Object.values(values).every((value) => !value);

const ACCOUNT_CHANGES = {
  approve: { isApproved: true },
  suspend: { isSuspended: true },
  resume: { isSuspended: false },
} as const;

const changeOf = ({ account, plan, joined, left, mustChangePassword }: BatchValues): PeopleChange => ({
  fields: {
    ...(account && ACCOUNT_CHANGES[account]),
    ...(plan && { isPremium: plan === 'premium' }),
    ...(mustChangePassword && { mustChangePassword }),
  },
  joined: joined === '' ? null : Number(joined),
  left: left === '' ? null : Number(left),
});

export function UserBatchDialog({ selection, onClose }: { selection: Selection; onClose: () => void }) {
  const form = useForm<BatchValues>({ defaultValues: NO_CHANGE });
  const values = useWatch({ control: form.control });
  const { data: groups } = useQuery(groupsQuery);
  const change = useChangePeople(selection, onClose);
  return (
    <BatchDialog
      title={(count) => t('batch.people', { count })}
      selection={selection}
      form={form}
      change={change}
      isEmpty={isEmpty(values)}
      toChanges={changeOf}
      onClose={onClose}
    >
      <FormField label={t('batch.account')}>
        <Select
          {...form.register('account')}
          options={[
            ['', t('batch.keep')],
            ['approve', t('usersPage.approve')],
            ['suspend', t('people.suspend')],
            ['resume', t('people.resume')],
          ]}
        />
      </FormField>
      <FormField label={t('invitations.plan')}>
        <Select
          {...form.register('plan')}
          options={[
            ['', t('batch.keep')],
            ['free', t('people.freePlan')],
            ['premium', t('people.premiumPlan')],
          ]}
        />
      </FormField>
      {groups && groups.length > 0 && (
        <>
          <FormField label={t('batch.addToGroup')}>
            <Select {...form.register('joined')} options={groupOptions(groups)} />
          </FormField>
          <FormField label={t('batch.leaveGroup')}>
            <Select {...form.register('left')} options={groupOptions(groups)} />
          </FormField>
        </>
      )}
      <FormCheckbox control={form.control} name="mustChangePassword" label={t('people.mustChange')} />
    </BatchDialog>
  );
}

const groupOptions = (groups: readonly Group[]) => [
  ['', t('batch.keep')] as const,
  ...groups.map(({ id, name }) => [id, name] as const),
];
