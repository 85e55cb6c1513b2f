import { Button, Input, SimpleGrid } from '@chakra-ui/react';
import { type AdminUser, type Budget, LIMITS } from '@tanya/contract';
import { useState } from 'react';
import { useForm, type UseFormReturn, useWatch } from 'react-hook-form';
import { t } from '../../app/i18n/translate';
import { GroupChecks } from '../../components/forms/access-fields';
import { BUDGET_PERIOD_LABELS, budgetUse, checkAmount, checkLimit } from '../../components/forms/budget-values';
import { FormCheckbox } from '../../components/forms/form-checkbox';
import { FormField } from '../../components/forms/form-field';
import { FormModal } from '../../components/dialogs/form-modal';
import { PasswordInput } from '../../components/forms/password-input';
import { showServerErrors } from '../../components/forms/server-errors';
import { AccountQuestion } from './account-question';
import { activityText } from './user-activity';
import { changedFields, toCreateRequest, type UserFormValues, valuesOf } from './user-form-values';
import { useChangeGroups, useCreateUser, useUpdateUser } from './user-mutations';
import { Select } from '../../components/forms/select';

const FIELDS = ['fullName', 'username', 'password', 'email', 'phoneNumber', 'quotaOverride', 'budgetUsd'] as const;

interface UserDialogProps {
  /** null for a new user. */
  user: AdminUser | null;
  /** The signed-in admin's own account: its password and email change in the account dialog, with the current password. */
  own?: boolean;
  onClose: () => void;
}

export function UserDialog({ user, own = false, onClose }: UserDialogProps) {
  const form = useForm<UserFormValues>({ defaultValues: valuesOf(user) });
  const { errors } = form.formState;
  const [username, password, isService] = useWatch({
    control: form.control,
    name: ['username', 'password', 'isService'],
  });
  const create = useCreateUser(onClose);
  const update = useUpdateUser(user?.id ?? 0, onClose);
  const [isResetting, setResetting] = useState(false);
  const [groupIds, setGroupIds] = useState(user?.groupIds ?? []);
  const groups = useChangeGroups(user, groupIds);
  const pending = create.isPending || update.isPending || groups.isPending;
  const ownHint = own ? t('people.ownCredentialHint') : undefined;
  const incomplete = username.trim() === '' || (!user && !isService && password === '');

  const onError = (error: unknown) => showServerErrors(error, FIELDS, form.setError);
  const submit = (values: UserFormValues) => {
    if (incomplete) return;
    if (!user) return create.mutate(toCreateRequest(values), { onError });
    const change = changedFields(user, values);
    const save = () => (Object.keys(change).length === 0 ? onClose() : update.mutate(change, { onError }));
    if (groups.isChanged) groups.mutate(undefined, { onSuccess: save });
    else save();
  };

  return (
    <FormModal
      title={user ? t('users.editTitle') : t('users.addTitle')}
      description={user ? activityText(user).join(' · ') : undefined}
      action={user ? t('usersPage.update') : t('usersPage.create')}
      pending={pending}
      disabled={incomplete}
      otherActions={
        user && (
          <Button variant="outline" me="auto" onClick={() => setResetting(true)}>
            {t('people.resetUsage')}
          </Button>
        )
      }
      onSubmit={form.handleSubmit(submit)}
      onClose={onClose}
    >
      <FormField label={t('auth.fullName')} error={errors.fullName?.message}>
        <Input maxLength={LIMITS.fullName.max} {...form.register('fullName')} />
      </FormField>
      <SimpleGrid columns={{ base: 1, sm: 2 }} gap="4">
        <FormField label={t('auth.username')} error={errors.username?.message}>
          <Input autoComplete="off" maxLength={LIMITS.username.max} {...form.register('username')} />
        </FormField>
        {!isService && (
          <FormField label={t('auth.password')} hint={ownHint} error={errors.password?.message}>
            <PasswordInput
              autoComplete="new-password"
              maxLength={LIMITS.password.max}
              disabled={own}
              placeholder={user && !own ? t('users.keepPassword') : undefined}
              {...form.register('password')}
            />
          </FormField>
        )}
        <FormField label={t('auth.email')} hint={ownHint} error={errors.email?.message}>
          <Input
            type="email"
            autoComplete="off"
            maxLength={LIMITS.email.max}
            disabled={own}
            {...form.register('email')}
          />
        </FormField>
        <FormField label={t('auth.phoneNumber')} error={errors.phoneNumber?.message}>
          <Input type="tel" autoComplete="off" maxLength={LIMITS.phoneNumber.max} {...form.register('phoneNumber')} />
        </FormField>
      </SimpleGrid>
      {user && (
        <FormField label={t('people.limit')} hint={t('people.limitHint')} error={errors.quotaOverride?.message}>
          <Input maxLength={12} {...form.register('quotaOverride', { validate: checkLimit })} />
        </FormField>
      )}
      {user && <GroupChecks legend={t('groups.ofPerson')} groupIds={groupIds} onChange={setGroupIds} />}
      {user && <UserBudgetFields form={form} budget={user.budget} />}
      <FormCheckbox control={form.control} name="isPremium" label={t('usersPage.premium')} />
      {!user && <FormCheckbox control={form.control} name="isService" label={t('people.asService')} />}
      {!isService && (
        <FormCheckbox
          control={form.control}
          name="isAdmin"
          label={t('usersPage.adminRights')}
          // The row of the own account asks before it removes these rights.
          disabled={own}
          hint={own ? t('people.ownAdminHint') : undefined}
        />
      )}
      {user && !own && !isService && (
        <FormCheckbox control={form.control} name="mustChangePassword" label={t('people.mustChange')} />
      )}
      {user && isResetting && <AccountQuestion kind="usage" user={user} onClose={() => setResetting(false)} />}
    </FormModal>
  );
}

interface UserBudgetFieldsProps {
  form: UseFormReturn<UserFormValues>;
  /** The budget in effect; null without one. */
  budget: Budget | null;
}

function UserBudgetFields({ form, budget }: UserBudgetFieldsProps) {
  const { register, formState } = form;
  const hint = [t('budgets.ownHint'), budget && budgetUse(budget)].filter(Boolean).join(' ');
  return (
    <SimpleGrid columns={{ base: 1, sm: 2 }} gap="4">
      <FormField label={t('budgets.own')} hint={hint} error={formState.errors.budgetUsd?.message}>
        <Input inputMode="decimal" maxLength={24} {...register('budgetUsd', { validate: checkAmount })} />
      </FormField>
      <FormField label={t('budgets.ownPeriod')}>
        <Select
          {...register('budgetPeriod')}
          options={[
            ['', t('budgets.asSettings')],
            ...Object.entries(BUDGET_PERIOD_LABELS).map(([period, key]) => [period, t(key)] as const),
          ]}
        />
      </FormField>
    </SimpleGrid>
  );
}
