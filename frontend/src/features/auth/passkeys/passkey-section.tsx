import { Box, Button, Flex, Input, Spinner, Stack, Text } from '@chakra-ui/react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { LIMITS, type Passkey, type KnownPassword } from '@tanya/contract';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { api } from '../../../app/api/api-client';
import { formatDateTime } from '../../../app/i18n/formats';
import { t } from '../../../app/i18n/translate';
import { QUERY_KEYS } from '../../../app/queries/query-keys';
import { useSingleFlightMutation } from '../../../app/queries/use-single-flight-mutation';
import { LoadingButton } from '../../../components/buttons/loading-button';
import { LoadError } from '../../../components/feedback/load-error';
import { fail, showFailure } from '../../../components/feedback/fail';
import { notify } from '../../../components/feedback/notify';
import { FormField } from '../../../components/forms/form-field';
import { useFocusRecovery } from '../../../components/hooks/use-focus-recovery';
import { CurrentPassword, showPasswordRefusal } from '../../../components/sign-in/current-password';
import {
  addPasskey,
  canUsePasskeys,
  PasskeyCancelled,
  passkeysQuery,
  preloadPasskeys,
} from '../../../components/sign-in/passkey-client';
import { PasswordAndCode } from '../totp/password-and-code';

/** The passkeys of the account: list, add, remove. */
export function PasskeySection() {
  const passkeys = useQuery(passkeysQuery);
  const recoverFocus = useFocusRecovery();
  const [isAdding, setAdding] = useState(false);
  if (passkeys.isLoadingError) return <LoadError message={t('passkeys.loadFailed')} onRetry={passkeys.refetch} />;
  if (!passkeys.data) return <Spinner size="sm" color="fg.muted" />;
  return (
    <Stack ref={recoverFocus} gap="3" outline="none">
      {passkeys.data.length > 0 && (
        <Stack as="ul" listStyleType="none" gap="2" aria-label={t('passkeys.title')}>
          {passkeys.data.map((passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} />
          ))}
        </Stack>
      )}
      {isAdding ? (
        <AddPasskey onEnd={() => setAdding(false)} />
      ) : canUsePasskeys() ? (
        <Button
          variant="outline"
          alignSelf="start"
          onClick={() => {
            preloadPasskeys();
            setAdding(true);
          }}
        >
          {t('passkeys.add')}
        </Button>
      ) : (
        <Text color="fg.muted">{t('passkeys.unsupported')}</Text>
      )}
    </Stack>
  );
}

function PasskeyRow({ passkey }: { passkey: Passkey }) {
  const { id, name, createdAt, lastUsedAt } = passkey;
  const queryClient = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const times = [
    t('passkeys.since', { time: formatDateTime(new Date(createdAt)) }),
    lastUsedAt === null ? t('passkeys.unused') : t('passkeys.used', { time: formatDateTime(new Date(lastUsedAt)) }),
  ];
  return (
    <Box as="li">
      <Flex align="center" gap="2" minW="0">
        <Box flex="1" minW="0">
          <Text truncate>{name}</Text>
          <Text textStyle="xs" color="fg.muted">
            {times.join(' · ')}
          </Text>
        </Box>
        {!isAsking && (
          <Button
            size="xs"
            variant="outline"
            aria-label={t('passkeys.removeNamed', { name })}
            onClick={() => setAsking(true)}
          >
            {t('passkeys.remove')}
          </Button>
        )}
      </Flex>
      {isAsking && (
        <Box mt="2">
          <PasswordAndCode
            action={t('passkeys.removeNamed', { name })}
            onFailure={fail('passkeys.removeFailed')}
            send={(values: KnownPassword) => api.deleteIfThere(`/api/user/passkeys/${id}`, values)}
            onDone={() => {
              queryClient.setQueryData(passkeysQuery.queryKey, (all) => all?.filter((one) => one.id !== id));
              // Those that began with the passkey have ended.
              void queryClient.invalidateQueries({ queryKey: QUERY_KEYS.sessions });
              notify({ title: t('passkeys.removed') });
            }}
            onCancel={() => setAsking(false)}
          />
        </Box>
      )}
    </Box>
  );
}

function AddPasskey({ onEnd }: { onEnd: () => void }) {
  const queryClient = useQueryClient();
  const form = useForm({ defaultValues: { name: '', password: '' } });
  const { errors, isDirty } = form.formState;
  const add = useSingleFlightMutation({
    mutationFn: ({ name, password }: { name: string; password: string }) =>
      addPasskey(name.trim(), password || undefined),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: passkeysQuery.queryKey });
      onEnd();
      notify({ title: t('passkeys.added') });
    },
    onError: (error) => {
      if (error instanceof PasskeyCancelled) return;
      if (showPasswordRefusal(error, form, 'password')) return;
      showFailure('passkeys.addFailed', error);
    },
  });
  return (
    <form noValidate data-saved={!isDirty} onSubmit={form.handleSubmit((values) => add.mutate(values))}>
      <Stack gap="3">
        <FormField label={t('passkeys.name')} hint={t('passkeys.nameHint')} error={errors.name?.message}>
          <Input
            autoFocus
            autoComplete="off"
            maxLength={LIMITS.passkeyName.max}
            {...form.register('name', { validate: (name) => name.trim() !== '' || t('passkeys.nameRequired') })}
          />
        </FormField>
        <CurrentPassword form={form} name="password" label={t('totp.password')} />
        <Flex gap="2">
          <LoadingButton type="submit" colorPalette="jade" loading={add.isPending}>
            {t('passkeys.continue')}
          </LoadingButton>
          <Button variant="outline" onClick={onEnd}>
            {t('common.cancel')}
          </Button>
        </Flex>
      </Stack>
    </form>
  );
}
