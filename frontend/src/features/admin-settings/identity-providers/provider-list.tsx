import { Button, Flex, Skeleton, Stack, Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import type { IdentityProvider } from '@tanya/contract';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { DeleteButton, EditButton } from '../../../components/buttons/row-buttons';
import { t } from '../../../app/i18n/translate';
import { ConfirmDialog } from '../../../components/dialogs/confirm-dialog';
import { LoadError } from '../../../components/feedback/load-error';
import { useFocusRecovery } from '../../../components/hooks/use-focus-recovery';
import { identityProvidersQuery } from '../../../app/queries/identity-providers.query';
import { ProviderDialog } from './provider-dialog';
import { useDeleteProvider } from './provider-mutations';

type Open = { kind: 'add' } | { kind: 'edit' | 'delete'; provider: IdentityProvider };

/** The identity providers, each with its own dialog: they are no part of the form around them. */
export function ProviderList() {
  const providers = useQuery({ ...identityProvidersQuery, refetchOnMount: 'always' });
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  const recoverFocus = useFocusRecovery();
  const all = providers.data;
  return (
    <Stack ref={recoverFocus} gap="4" outline="none">
      {providers.isPending && <Skeleton height="4rem" />}
      {providers.isLoadingError && <LoadError message={t('identityProviders.loadError')} onRetry={providers.refetch} />}
      {all?.length === 0 && <Text color="fg.muted">{t('identityProviders.none')}</Text>}
      {all && all.length > 0 && (
        <Stack as="ul" gap="3" listStyleType="none" aria-label={t('identityProviders.title')}>
          {all.map((provider) => (
            <ProviderRow key={provider.id} provider={provider} onOpen={(kind) => setOpen({ kind, provider })} />
          ))}
        </Stack>
      )}
      <Button variant="outline" alignSelf="start" onClick={() => setOpen({ kind: 'add' })}>
        <Plus aria-hidden /> {t('identityProviders.add')}
      </Button>
      {open?.kind === 'add' && <ProviderDialog provider={null} onClose={close} />}
      {open?.kind === 'edit' && <ProviderDialog provider={open.provider} onClose={close} />}
      {open?.kind === 'delete' && <DeleteDialog provider={open.provider} onClose={close} />}
    </Stack>
  );
}

interface ProviderRowProps {
  provider: IdentityProvider;
  onOpen: (kind: 'edit' | 'delete') => void;
}

function ProviderRow({ provider, onOpen }: ProviderRowProps) {
  const { label, issuer, isFromEnvironment, isSecretUnreadable, callbackUrl } = provider;
  return (
    <Flex as="li" gap="3" align="start" justify="space-between">
      <Stack gap="0" minW="0" overflowWrap="anywhere">
        <Text fontWeight="medium">{label}</Text>
        <Text color="fg.muted" textStyle="sm">
          {issuer}
        </Text>
        {isFromEnvironment && <Text textStyle="sm">{t('identityProviders.fromEnvironment')}</Text>}
        {isFromEnvironment && (
          <Text color="fg.muted" textStyle="sm">
            {t('identityProviders.callbackUrl')}: {callbackUrl}
          </Text>
        )}
        {isSecretUnreadable && (
          <Text color="fg.error" textStyle="sm">
            {t('identityProviders.secretUnreadable')}
          </Text>
        )}
      </Stack>
      {!isFromEnvironment && (
        <Flex gap="1" flexShrink={0}>
          <EditButton label={t('identityProviders.editOf', { label })} onClick={() => onOpen('edit')} />
          <DeleteButton label={t('identityProviders.deleteOf', { label })} onClick={() => onOpen('delete')} />
        </Flex>
      )}
    </Flex>
  );
}

function DeleteDialog({ provider: { id, label }, onClose }: { provider: IdentityProvider; onClose: () => void }) {
  const remove = useDeleteProvider(id, onClose);
  return (
    <ConfirmDialog
      title={t('identityProviders.deleteTitle')}
      question={t('identityProviders.deleteQuestion', { label })}
      pending={remove.isPending}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    />
  );
}
