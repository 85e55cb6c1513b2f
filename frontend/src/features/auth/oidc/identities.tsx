import { Box, Button, Flex, Spinner, Stack, Text } from '@chakra-ui/react';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import type { LinkedIdentity, KnownPassword, ProviderAddress, SignInProvider } from '@tanya/contract';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { api } from '../../../app/api/api-client';
import { formatDateTime } from '../../../app/i18n/formats';
import { t } from '../../../app/i18n/translate';
import { QUERY_KEYS } from '../../../app/queries/query-keys';
import { signInProvidersQuery } from '../../../app/queries/sign-in-providers.query';
import { useSingleFlightMutation } from '../../../app/queries/use-single-flight-mutation';
import { ConfirmDialog } from '../../../components/dialogs/confirm-dialog';
import { FormModal } from '../../../components/dialogs/form-modal';
import { fail, showFailure } from '../../../components/feedback/fail';
import { LoadError } from '../../../components/feedback/load-error';
import { notify } from '../../../components/feedback/notify';
import { useFocusRecovery } from '../../../components/hooks/use-focus-recovery';
import { CurrentPassword, showPasswordRefusal } from '../../../components/sign-in/current-password';

const identitiesQuery = queryOptions({
  queryKey: ['identities'],
  queryFn: ({ signal }) => api.get<LinkedIdentity[]>('/api/user/identities', signal),
  staleTime: 0,
});

/** The logins at providers that open the account, and those that can be connected. */
export function Identities() {
  const identities = useQuery(identitiesQuery);
  const { data: providers = [] } = useQuery(signInProvidersQuery);
  const [connected, setConnected] = useState<SignInProvider | null>(null);
  const recoverFocus = useFocusRecovery();
  if (identities.isLoadingError)
    return <LoadError message={t('signIn.identitiesFailed')} onRetry={identities.refetch} />;
  if (!identities.data) return <Spinner size="sm" color="fg.muted" />;
  return (
    <Stack ref={recoverFocus} gap="3" outline="none">
      {identities.data.length === 0 && <Text>{t('signIn.noIdentities')}</Text>}
      {identities.data.length > 0 && (
        <Stack as="ul" listStyleType="none" gap="2" aria-label={t('signIn.identities')}>
          {identities.data.map((identity) => (
            <IdentityRow key={identity.id} identity={identity} />
          ))}
        </Stack>
      )}
      <Flex gap="2" wrap="wrap">
        {providers.map((provider) => (
          <Button key={provider.id} variant="outline" maxW="100%" onClick={() => setConnected(provider)}>
            <Text as="span" truncate>
              {t('signIn.connect', { label: provider.label })}
            </Text>
          </Button>
        ))}
      </Flex>
      {connected && <ConnectDialog provider={connected} onClose={() => setConnected(null)} />}
    </Stack>
  );
}

function IdentityRow({ identity: { id, label, name, lastUsedAt } }: { identity: LinkedIdentity }) {
  const [isAsking, setAsking] = useState(false);
  const queryClient = useQueryClient();
  const disconnect = useSingleFlightMutation({
    mutationFn: () => api.delete(`/api/user/identities/${id}`),
    onSuccess: () => {
      queryClient.setQueryData(identitiesQuery.queryKey, (all) => all?.filter((each) => each.id !== id));
      // Those that began with the login have ended.
      void queryClient.invalidateQueries({ queryKey: QUERY_KEYS.sessions });
      notify({ title: t('signIn.disconnected') });
    },
    onError: fail('signIn.disconnectFailed'),
    onSettled: () => setAsking(false),
  });
  const used =
    lastUsedAt === null ? t('signIn.neverUsed') : t('passkeys.used', { time: formatDateTime(new Date(lastUsedAt)) });
  return (
    <Flex as="li" align="center" gap="2" minW="0">
      <Box flex="1" minW="0">
        <Text truncate>{label}</Text>
        <Text textStyle="xs" color="fg.muted" overflowWrap="anywhere">
          {[name, used].filter(Boolean).join(' · ')}
        </Text>
      </Box>
      <Button
        size="xs"
        variant="outline"
        aria-label={t('signIn.disconnectOf', { label })}
        onClick={() => setAsking(true)}
      >
        {t('signIn.disconnect')}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={t('signIn.disconnectOf', { label })}
          question={t('signIn.disconnectQuestion', { label })}
          action={t('signIn.disconnect')}
          pending={disconnect.isPending}
          onConfirm={() => disconnect.mutate()}
          onClose={() => setAsking(false)}
        />
      )}
    </Flex>
  );
}

interface ConnectDialogProps {
  provider: SignInProvider;
  onClose: () => void;
}

/** Asks for the password. Who has just signed in with a passkey or at a provider may leave it out. */
function ConnectDialog({ provider: { id, label }, onClose }: ConnectDialogProps) {
  const form = useForm({ defaultValues: { password: '' } });
  const connect = useSingleFlightMutation({
    mutationFn: (request: KnownPassword) => api.post<ProviderAddress>(`/api/auth/oidc/${id}/link`, request),
    onSuccess: ({ url }) => window.location.assign(url),
    onError: (error) => {
      if (!showPasswordRefusal(error, form, 'password')) showFailure('signIn.connectFailed', error);
    },
  });
  const submit = form.handleSubmit(({ password }) => connect.mutate(password === '' ? {} : { password }));
  return (
    <FormModal
      size="sm"
      title={t('signIn.connect', { label })}
      description={t('signIn.connectHint', { label })}
      action={t('signIn.goOn', { label })}
      pending={connect.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <CurrentPassword form={form} name="password" label={t('account.currentPassword')} autoFocus />
    </FormModal>
  );
}
