import { Input, SimpleGrid } from '@chakra-ui/react';
import { GROUP_LIMITS, type Group } from '@tanya/contract';
import { useForm } from 'react-hook-form';
import { t } from '../../app/i18n/translate';
import { FormModal } from '../../components/dialogs/form-modal';
import { amountOf, checkAmount, checkLimit } from '../../components/forms/budget-values';
import { editedOnly } from '../../components/forms/edited-only';
import { FormField } from '../../components/forms/form-field';
import { showServerErrors } from '../../components/forms/server-errors';
import { useSaveGroup } from './group-mutations';

const FIELDS = ['name', 'externalName', 'quotaOverride', 'budgetUsd'] as const;

interface GroupDialogProps {
  /** null for a new group. */
  group: Group | null;
  onClose: () => void;
}

export function GroupDialog({ group, onClose }: GroupDialogProps) {
  const { register, handleSubmit, formState, setError } = useForm({
    defaultValues: {
      name: group?.name ?? '',
      externalName: group?.externalName ?? '',
      quotaOverride: group?.quotaOverride?.toString() ?? '',
      budgetUsd: group?.budgetUsd ?? '',
    },
  });
  const { errors, dirtyFields } = formState;
  const save = useSaveGroup(group?.id ?? null, onClose);
  const submit = handleSubmit((values) => {
    const request = {
      name: values.name.trim(),
      externalName: values.externalName.trim() || null,
      quotaOverride: values.quotaOverride.trim() === '' ? null : Number(values.quotaOverride),
      budgetUsd: amountOf(values.budgetUsd),
    };
    save.mutate(group ? editedOnly(request, dirtyFields) : request, {
      onError: (error) => showServerErrors(error, FIELDS, setError),
    });
  });
  return (
    <FormModal
      title={t(group ? 'groups.editTitle' : 'groups.addTitle')}
      action={t(group ? 'models.saveChanges' : 'groups.add')}
      pending={save.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <FormField label={t('groups.name')} error={errors.name?.message}>
        <Input
          maxLength={GROUP_LIMITS.name.max}
          {...register('name', { validate: (name) => name.trim() !== '' || t('common.nameRequired') })}
        />
      </FormField>
      <FormField
        label={t('groups.externalName')}
        hint={t('groups.externalNameHint')}
        error={errors.externalName?.message}
      >
        <Input maxLength={GROUP_LIMITS.externalName.max} {...register('externalName')} />
      </FormField>
      <SimpleGrid columns={{ base: 1, sm: 2 }} gap="4">
        <FormField label={t('groups.limit')} hint={t('groups.limitHint')} error={errors.quotaOverride?.message}>
          <Input maxLength={12} inputMode="numeric" {...register('quotaOverride', { validate: checkLimit })} />
        </FormField>
        <FormField label={t('groups.budget')} hint={t('groups.budgetHint')} error={errors.budgetUsd?.message}>
          <Input
            inputMode="decimal"
            maxLength={24}
            {...register('budgetUsd', { validate: (text) => text.trim() === '-1' || checkAmount(text) })}
          />
        </FormField>
      </SimpleGrid>
    </FormModal>
  );
}
