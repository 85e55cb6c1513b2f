import { Flex, Stack } from '@chakra-ui/react';
import { ADMIN_TEXTS, type AdminSettings } from '@tanya/contract';
import { FormProvider, useForm, type Path } from 'react-hook-form';
import { Panel } from '../../components/layout/panel';
import { showServerErrors } from '../../components/forms/server-errors';
import { showStored } from '../../components/forms/show-stored';
import { LoadingButton } from '../../components/buttons/loading-button';
import { AppearanceFields } from './appearance-fields';
import { ProviderFields } from './provider-fields';
import { QuotaFields } from './quota-fields';
import { RegistrationFields } from './registration-fields';
import { toRequest, toValues, type SettingsValues } from './settings-rules';
import { useSaveSettings } from './settings.query';

export function SettingsForm({ settings }: { settings: AdminSettings }) {
  const form = useForm<SettingsValues>({
    values: toValues(settings),
    // Another admin's changes appear without overwriting fields that are edited here.
    resetOptions: { keepDirtyValues: true },
  });
  const save = useSaveSettings();
  const submit = (values: SettingsValues) => {
    save.mutate(toRequest(values), {
      onSuccess: (stored) => showStored(form, toValues(stored), values),
      onError: (error) => showServerErrors(error, Object.keys(values) as Path<SettingsValues>[], form.setError),
    });
  };

  return (
    <FormProvider {...form}>
      <form noValidate autoComplete="off" onSubmit={form.handleSubmit(submit)}>
        <Stack gap="6">
          <Panel title="Application Settings">
            <AppearanceFields />
          </Panel>
          <Panel
            title="Model providers"
            hint="Where answers come from. Keys are stored encrypted and never shown again."
          >
            <ProviderFields />
          </Panel>
          <Panel title="Registration">
            <RegistrationFields />
          </Panel>
          <Panel title="User Message Quotas">
            <QuotaFields />
          </Panel>
          <Flex justify="end">
            <LoadingButton
              type="submit"
              colorPalette="jade"
              loading={save.isPending}
              loadingText={ADMIN_TEXTS.models.saving}
            >
              {ADMIN_TEXTS.settings.save}
            </LoadingButton>
          </Flex>
        </Stack>
      </form>
    </FormProvider>
  );
}
