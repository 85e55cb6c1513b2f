import { Input, SimpleGrid, Stack } from '@chakra-ui/react';
import { LIMITS, type RegisterRequest, type User } from '@tanya/contract';
import { useQuery } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { RichText } from '../../app/i18n/rich-text';
import { t } from '../../app/i18n/translate';
import { api } from '../../app/api/api-client';
import { type ApiError, hasCode } from '../../app/api/api-error';
import { keepChoice } from '../../app/language/keep-choice';
import { beginSession } from '../../app/session/session-lifecycle';
import { settingsQuery } from '../../app/queries/settings.query';
import { useSingleFlightMutation } from '../../app/queries/use-single-flight-mutation';
import { FormCheckbox } from '../../components/forms/form-checkbox';
import { FormField } from '../../components/forms/form-field';
import { EmailInput, FullNameInput, PhoneInput } from '../../components/forms/person-inputs';
import { showFailure } from '../../components/feedback/fail';
import { notify } from '../../components/feedback/notify';
import { PasswordInput } from '../../components/forms/password-input';
import { TextLink } from '../../components/buttons/admin-contact';
import { showServerErrors } from '../../components/forms/server-errors';
import { LoadingButton } from '../../components/buttons/loading-button';
import { EMPTY, RULES, toRequest, type RegisterValues } from './register-rules';

interface RegisterFormProps {
  invitation?: string;
  onDone: () => void;
  /** @param isMailed whether the account waits for a link that was mailed, else for an admin */
  onPending: (isMailed: boolean) => void;
}

export function RegisterForm({ invitation, onDone, onPending }: RegisterFormProps) {
  const form = useForm<RegisterValues>({ defaultValues: EMPTY });
  const { errors, isDirty } = form.formState;
  const { data: settings } = useQuery(settingsQuery);
  const domains = invitation === undefined ? settings?.allowedEmailDomains : undefined;
  const domainsHint = domains?.length ? t('login.allowedDomains', { domains: domains.join(', ') }) : undefined;
  const registration = useSingleFlightMutation({
    mutationFn: async (request: RegisterRequest) =>
      keepChoice(await api.post<User>('/api/register', { ...request, invitation } satisfies RegisterRequest)),
    onSuccess: (user) => {
      void beginSession(user);
      form.reset();
      onDone();
      notify({ title: t('auth.registerSuccess'), description: t('auth.registerSuccessHint') });
    },
    onError: (error) => {
      if (hasCode(error, 'account_pending')) return onPending(reasonOf(error) === 'email');
      showFailure('auth.registerFailed', error);
      showServerErrors(error, ['fullName', 'username', 'password', 'email', 'phoneNumber'], form.setError);
    },
  });

  return (
    <form
      noValidate
      data-saved={!isDirty}
      onSubmit={form.handleSubmit((values) => registration.mutate(toRequest(values)))}
    >
      <Stack gap="4">
        <FormField label={t('auth.fullName')} hint={t('login.optional')} error={errors.fullName?.message}>
          <FullNameInput {...form.register('fullName', { validate: RULES.fullName })} />
        </FormField>
        <FormField label={t('auth.username')} error={errors.username?.message}>
          <Input
            autoComplete="username"
            maxLength={LIMITS.username.max}
            {...form.register('username', { validate: RULES.username })}
          />
        </FormField>
        <SimpleGrid columns={{ base: 1, sm: 2 }} gap="4">
          <FormField label={t('auth.password')} error={errors.password?.message}>
            <PasswordInput
              autoComplete="new-password"
              maxLength={LIMITS.password.max}
              {...form.register('password', { validate: RULES.password })}
            />
          </FormField>
          <FormField label={t('auth.confirmPassword')} error={errors.confirmPassword?.message}>
            <PasswordInput
              autoComplete="new-password"
              {...form.register('confirmPassword', { validate: RULES.confirmPassword })}
            />
          </FormField>
          <FormField label={t('auth.email')} hint={domainsHint} error={errors.email?.message}>
            <EmailInput {...form.register('email', { validate: RULES.email })} />
          </FormField>
          <FormField label={t('auth.phoneNumber')} error={errors.phoneNumber?.message}>
            <PhoneInput {...form.register('phoneNumber', { validate: RULES.phoneNumber })} />
          </FormField>
        </SimpleGrid>
        <FormCheckbox control={form.control} name="terms" rules={{ validate: RULES.terms }} label={<TermsLabel />} />
        <LoadingButton type="submit" colorPalette="jade" loading={registration.isPending}>
          {t('sidebar.register')}
        </LoadingButton>
      </Stack>
    </form>
  );
}

function TermsLabel() {
  const { data: settings } = useQuery(settingsQuery);
  const url = settings?.links.termsUrl;
  return (
    <RichText
      text={t('login.terms')}
      tags={{ terms: (words) => (url ? <TextLink href={url}>{words}</TextLink> : words) }}
    />
  );
}

/** The reason of a refusal, where the server names one. */
function reasonOf({ body }: ApiError): unknown {
  const details = body?.details;
  return Array.isArray(details) ? undefined : details?.params?.['reason'];
}
