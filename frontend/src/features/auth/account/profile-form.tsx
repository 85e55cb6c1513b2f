import { SimpleGrid, Stack } from '@chakra-ui/react';
import type { UpdateProfileRequest, User } from '@tanya/contract';
import { useForm, useWatch } from 'react-hook-form';
import { t } from '../../../app/i18n/translate';
import { api } from '../../../app/api/api-client';
import { queryClient } from '../../../app/queries/query-client';
import { currentUserQuery } from '../../../app/queries/user.query';
import { useSingleFlightMutation } from '../../../app/queries/use-single-flight-mutation';
import { LoadingButton } from '../../../components/buttons/loading-button';
import { showFailure } from '../../../components/feedback/fail';
import { notify } from '../../../components/feedback/notify';
import { FormField } from '../../../components/forms/form-field';
import { EmailInput, FullNameInput, PhoneInput } from '../../../components/forms/person-inputs';
import { showServerErrors } from '../../../components/forms/server-errors';
import { showStored } from '../../../components/forms/show-stored';
import { CurrentPassword, showPasswordRefusal } from '../../../components/sign-in/current-password';
import { RULES } from '../register-rules';

export function ProfileForm({ user }: { user: User }) {
  const form = useForm<ProfileValues>({
    values: profileOf(user),
    // A change in another tab appears without overwriting fields that are edited here.
    resetOptions: { keepDirtyValues: true },
  });
  const { errors, isDirty } = form.formState;
  const rules = profileRules(user);
  const asksPassword = isNewEmail(user, useWatch({ control: form.control, name: 'email' }));
  const save = useSingleFlightMutation({
    mutationFn: (changes: UpdateProfileRequest) => api.patch<User>('/api/user', changes),
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: currentUserQuery.queryKey });
      notify({ title: t('account.profileSaved') });
    },
    onError: (error) => {
      if (showPasswordRefusal(error, form, 'currentPassword')) return;
      showFailure('account.profileFailed', error);
      showServerErrors(error, ['fullName', 'email', 'phoneNumber', 'currentPassword'], form.setError);
    },
  });
  const submit = (values: ProfileValues) => {
    save.mutate(changedFields(user, values), {
      onSuccess: (stored) => showStored(form, profileOf(stored), values),
    });
  };

  return (
    <form noValidate data-saved={!isDirty} onSubmit={form.handleSubmit(submit)}>
      <Stack gap="3" align="start">
        <FormField label={t('auth.fullName')} error={errors.fullName?.message}>
          <FullNameInput {...form.register('fullName', { validate: rules.fullName })} />
        </FormField>
        <SimpleGrid columns={{ base: 1, sm: 2 }} gap="3" width="100%">
          <FormField label={t('auth.email')} error={errors.email?.message}>
            <EmailInput {...form.register('email', { validate: rules.email })} />
          </FormField>
          <FormField label={t('auth.phoneNumber')} error={errors.phoneNumber?.message}>
            <PhoneInput {...form.register('phoneNumber', { validate: rules.phoneNumber })} />
          </FormField>
        </SimpleGrid>
        {asksPassword && (
          <CurrentPassword
            form={form}
            name="currentPassword"
            label={t('account.currentPassword')}
            hint={t('account.emailPasswordHint')}
          />
        )}
        <LoadingButton type="submit" variant="outline" disabled={!isDirty} loading={save.isPending}>
          {t('account.saveProfile')}
        </LoadingButton>
      </Stack>
    </form>
  );
}

interface ProfileValues {
  fullName: string;
  email: string;
  phoneNumber: string;
  currentPassword: string;
}

function profileOf(user: User): ProfileValues {
  return {
    fullName: user.fullName ?? '',
    email: user.email ?? '',
    phoneNumber: user.phoneNumber ?? '',
    currentPassword: '',
  };
}

/** The rules of the registration. An account that an admin created may have no email or phone number; it may stay so. */
function profileRules(user: User) {
  const stored = profileOf(user);
  return {
    fullName: RULES.fullName,
    email: (value: string) => value.trim() === stored.email || RULES.email(value),
    phoneNumber: (value: string) => value.trim() === stored.phoneNumber || RULES.phoneNumber(value),
  };
}

/** Whether the address differs from the stored one, so that the server asks for the password. */
function isNewEmail(user: User, email: string): boolean {
  return email.trim() !== (user.email ?? '');
}

/** The fields that differ from the account, trimmed. */
function changedFields(user: User, values: ProfileValues): UpdateProfileRequest {
  const stored = profileOf(user);
  const changes: UpdateProfileRequest = {};
  for (const field of ['fullName', 'email', 'phoneNumber'] as const) {
    const value = values[field].trim();
    if (value !== stored[field]) changes[field] = value;
  }
  return changes.email === undefined ? changes : { ...changes, currentPassword: values.currentPassword || undefined };
}
