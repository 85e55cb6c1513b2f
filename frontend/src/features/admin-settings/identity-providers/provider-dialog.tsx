import { Box, Input, SimpleGrid, Stack, Text } from '@chakra-ui/react';
import { DEFAULT_SCOPES, IDENTITY_PROVIDER_LIMITS, type IdentityProvider, PROVISION_MODES } from '@tanya/contract';
import { useForm, useWatch } from 'react-hook-form';
import { t } from '../../../app/i18n/translate';
import { LoadingButton } from '../../../components/buttons/loading-button';
import { FormModal } from '../../../components/dialogs/form-modal';
import { editedOnly } from '../../../components/forms/edited-only';
import { FormCheckbox } from '../../../components/forms/form-checkbox';
import { FormField } from '../../../components/forms/form-field';
import { PasswordInput } from '../../../components/forms/password-input';
import { Select } from '../../../components/forms/select';
import { showServerErrors } from '../../../components/forms/server-errors';
import { useSaveProvider, useTestProvider } from './provider-mutations';

const FIELDS = [
  ...(['label', 'issuer', 'clientId', 'clientSecret', 'scopes', 'provision'] as const),
  ...(['groupClaim', 'adminGroup', 'premiumGroup', 'trustsSecondFactor', 'secondFactorValues'] as const),
] as const;

const valuesOf = (provider: IdentityProvider | null) => ({
  label: provider?.label ?? '',
  issuer: provider?.issuer ?? '',
  clientId: provider?.clientId ?? '',
  clientSecret: '',
  scopes: provider?.scopes ?? DEFAULT_SCOPES,
  groupClaim: provider?.groupClaim ?? '',
  adminGroup: provider?.adminGroup ?? '',
  premiumGroup: provider?.premiumGroup ?? '',
  provision: provider?.provision ?? 'approval',
  trustsSecondFactor: provider?.trustsSecondFactor ?? false,
  secondFactorValues: provider?.secondFactorValues ?? '',
});

interface ProviderDialogProps {
  /** null for a new provider. */
  provider: IdentityProvider | null;
  onClose: () => void;
}

export function ProviderDialog({ provider, onClose }: ProviderDialogProps) {
  const { register, handleSubmit, formState, setError, control, trigger, getValues } = useForm({
    defaultValues: valuesOf(provider),
  });
  const { errors, dirtyFields } = formState;
  const save = useSaveProvider(provider?.id ?? null, onClose);
  const test = useTestProvider();
  const onError = (error: unknown) => showServerErrors(error, FIELDS, setError);
  const [isTrusted, typedIssuer] = useWatch({ control, name: ['trustsSecondFactor', 'issuer'] });
  const submit = handleSubmit(({ clientSecret, groupClaim, adminGroup, premiumGroup, scopes, ...values }) => {
    const request = {
      ...values,
      secondFactorValues: values.secondFactorValues.trim() || null,
      scopes: scopes.trim() || null,
      groupClaim: groupClaim.trim() || null,
      adminGroup: adminGroup.trim() || null,
      premiumGroup: premiumGroup.trim() || null,
      ...(clientSecret !== '' && { clientSecret }),
    };
    save.mutate(provider ? editedOnly(request, dirtyFields) : request, { onError });
  });
  const tryOut = async () => {
    if (await trigger('issuer')) test.mutate({ issuer: getValues('issuer') }, { onError });
  };
  const required = (sentence: string) => ({ validate: (text: string) => text.trim() !== '' || sentence });
  const { label, issuer, clientId, clientSecret, scopes, claim, group, secondFactorValues } = IDENTITY_PROVIDER_LIMITS;
  return (
    <FormModal
      title={t(provider ? 'identityProviders.editTitle' : 'identityProviders.addTitle')}
      size="lg"
      action={t(provider ? 'models.saveChanges' : 'identityProviders.add')}
      pending={save.isPending}
      otherActions={
        <LoadingButton variant="outline" me="auto" loading={test.isPending} onClick={() => void tryOut()}>
          {t('identityProviders.test')}
        </LoadingButton>
      }
      onSubmit={submit}
      onClose={onClose}
    >
      <FormField
        label={t('identityProviders.label')}
        hint={t('identityProviders.labelHint')}
        error={errors.label?.message}
      >
        <Input maxLength={label.max} {...register('label', required(t('common.nameRequired')))} />
      </FormField>
      <FormField
        label={t('identityProviders.issuer')}
        hint={t('identityProviders.issuerHint')}
        error={errors.issuer?.message}
      >
        <Input
          type="url"
          maxLength={issuer.max}
          {...register('issuer', required(t('identityProviders.issuerRequired')))}
        />
      </FormField>
      <SimpleGrid columns={{ base: 1, sm: 2 }} gap="4">
        <FormField label={t('identityProviders.clientId')} error={errors.clientId?.message}>
          <Input
            maxLength={clientId.max}
            {...register('clientId', required(t('identityProviders.clientIdRequired')))}
          />
        </FormField>
        <FormField
          label={t('identityProviders.clientSecret')}
          hint={provider ? t('identityProviders.secretStored') : undefined}
          error={errors.clientSecret?.message}
        >
          <PasswordInput
            autoComplete="new-password"
            maxLength={clientSecret.max}
            {...register('clientSecret', provider ? {} : required(t('identityProviders.secretRequired')))}
          />
        </FormField>
      </SimpleGrid>
      <FormField label={t('identityProviders.provision')} error={errors.provision?.message}>
        <Select
          options={PROVISION_MODES.map((mode) => [mode, t(`identityProviders.provisions.${mode}`)] as const)}
          {...register('provision')}
        />
      </FormField>
      <SimpleGrid columns={{ base: 1, sm: 2 }} gap="4">
        <FormField label={t('identityProviders.scopes')} error={errors.scopes?.message}>
          <Input maxLength={scopes.max} {...register('scopes')} />
        </FormField>
        <FormField
          label={t('identityProviders.groupClaim')}
          hint={t('identityProviders.groupClaimHint')}
          error={errors.groupClaim?.message}
        >
          <Input maxLength={claim.max} {...register('groupClaim')} />
        </FormField>
        <FormField
          label={t('identityProviders.adminGroup')}
          hint={t('identityProviders.groupHint')}
          error={errors.adminGroup?.message}
        >
          <Input maxLength={group.max} {...register('adminGroup')} />
        </FormField>
        <FormField label={t('identityProviders.premiumGroup')} error={errors.premiumGroup?.message}>
          <Input maxLength={group.max} {...register('premiumGroup')} />
        </FormField>
      </SimpleGrid>
      <FormCheckbox control={control} name="trustsSecondFactor" label={t('identityProviders.trusts')} />
      {isTrusted && (
        <FormField
          label={t('identityProviders.secondFactorValues')}
          hint={t('identityProviders.secondFactorHint')}
          error={errors.secondFactorValues?.message}
        >
          <Input maxLength={secondFactorValues.max} {...register('secondFactorValues')} />
        </FormField>
      )}
      {provider && <Addresses provider={provider} />}
      <Box role="status">
        {test.data && test.variables.issuer === typedIssuer && <Text>{resultText(test.data)}</Text>}
      </Box>
    </FormModal>
  );
}

function resultText(result: NonNullable<ReturnType<typeof useTestProvider>['data']>): string {
  if (!result.ok) return t(`identityProviders.faults.${result.fault}`);
  return t(result.endsSessions ? 'identityProviders.testOk' : 'identityProviders.testOkNoLogout');
}

/** The addresses of this site that the provider has to know. They have the id of the row. */
function Addresses({ provider: { callbackUrl, backchannelLogoutUrl } }: { provider: IdentityProvider }) {
  return (
    <Stack gap="4">
      <FormField label={t('identityProviders.callbackUrl')} hint={t('identityProviders.callbackHint')}>
        <Input readOnly value={callbackUrl} onFocus={({ target }) => target.select()} />
      </FormField>
      <FormField label={t('identityProviders.backchannelUrl')}>
        <Input readOnly value={backchannelLogoutUrl} onFocus={({ target }) => target.select()} />
      </FormField>
    </Stack>
  );
}
