import { Box, Button, Flex, Input, SimpleGrid, Stack, Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { LIMITS, SETTINGS, type SiteLogo } from '@tanya/contract';
import { ImageUp, Trash2 } from 'lucide-react';
import { useRef } from 'react';
import { useFormContext } from 'react-hook-form';
import { api } from '../../app/api/api-client';
import { t } from '../../app/i18n/translate';
import { queryClient } from '../../app/queries/query-client';
import { settingsQuery } from '../../app/queries/settings.query';
import { useSingleFlightMutation } from '../../app/queries/use-single-flight-mutation';
import { LoadingButton } from '../../components/buttons/loading-button';
import { fail } from '../../components/feedback/fail';
import { notify } from '../../components/feedback/notify';
import { useFocusRecovery } from '../../components/hooks/use-focus-recovery';
import { FormField } from '../../components/forms/form-field';
import { SettingField } from './setting-field';
import type { SettingsValues } from './setting-values';

const PLAN_PLACEHOLDERS = { free: 'sidebar.free', premium: 'sidebar.premium' } as const;

/** Whose product the page is: logo, names of the plans, what it offers beside the chat. */
export function BrandingFields() {
  const { register } = useFormContext<SettingsValues>();
  return (
    <Stack gap="4">
      <LogoField />
      <SimpleGrid minChildWidth="16rem" gap="4">
        {SETTINGS.planNames.names.map((plan) => (
          <FormField key={plan} label={t(`branding.${plan}`)}>
            <Input
              maxLength={SETTINGS.planNames.max}
              placeholder={t(PLAN_PLACEHOLDERS[plan])}
              {...register(`planNames_${plan}`)}
            />
          </FormField>
        ))}
        <SettingField name="showUpgrade" />
        <SettingField name="showOtherApps" />
      </SimpleGrid>
    </Stack>
  );
}

function formOf(file: File): FormData {
  const form = new FormData();
  form.set('file', file);
  return form;
}

/** Saves at once, unlike the fields around it. */
function LogoField() {
  const { data: settings } = useQuery(settingsQuery);
  const input = useRef<HTMLInputElement>(null);
  const recoverFocus = useFocusRecovery();
  const onSuccess = ({ logo }: SiteLogo) => {
    void queryClient.invalidateQueries({ queryKey: settingsQuery.queryKey });
    notify({ title: t(logo === null ? 'branding.logoRemoved' : 'branding.logoSaved') });
  };
  const onError = fail('branding.logoError');
  const store = useSingleFlightMutation({
    mutationFn: (file: File) => api.put<SiteLogo>('/api/admin/logo', formOf(file)),
    onSuccess,
    onError,
  });
  const remove = useSingleFlightMutation({
    mutationFn: () => api.delete<SiteLogo>('/api/admin/logo'),
    onSuccess,
    onError,
  });
  const logo = settings?.logo ?? null;
  return (
    <Stack gap="2">
      <Text textStyle="sm" fontWeight="medium">
        {t('branding.logo')}
      </Text>
      <Flex ref={recoverFocus} gap="3" align="center" wrap="wrap">
        {logo !== null && (
          <Box asChild maxH="10" maxW="10rem">
            <img src={logo} alt={t('branding.logoNow')} />
          </Box>
        )}
        <input
          ref={input}
          type="file"
          hidden
          accept="image/png,image/jpeg,image/webp,image/gif"
          aria-label={t('branding.logoChoose')}
          onChange={({ target }) => {
            const file = target.files?.[0];
            target.value = '';
            if (file) store.mutate(file);
          }}
        />
        <LoadingButton size="xs" variant="outline" loading={store.isPending} onClick={() => input.current?.click()}>
          <ImageUp aria-hidden /> {t('branding.logoChoose')}
        </LoadingButton>
        {logo !== null && (
          <Button size="xs" variant="outline" disabled={remove.isPending} onClick={() => remove.mutate()}>
            <Trash2 aria-hidden /> {t('branding.logoRemove')}
          </Button>
        )}
      </Flex>
      <Text textStyle="xs" color="fg.muted">
        {t('branding.logoHint', { max: LIMITS.logoBytes / (1024 * 1024) })}
      </Text>
    </Stack>
  );
}
