import { Button, Code, Flex, IconButton, Skeleton, Stack, Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { Eye, EyeOff, KeyRound } from 'lucide-react';
import { useState } from 'react';
import { t } from '../../app/i18n/translate';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog';
import { CopyButton } from '../../components/buttons/copy-button';
import { LoadError } from '../../components/feedback/load-error';
import { Panel } from '../../components/layout/panel';
import { LoadingButton } from '../../components/buttons/loading-button';
import { useFocusRecovery } from '../../components/hooks/use-focus-recovery';
import { apiKeyQuery, useGenerateKey, useRevokeKey } from './api-key.query';
import { maskKey } from './mask-key';

interface KeyPanelProps {
  shown: boolean;
  onShown: (shown: boolean) => void;
}

export function KeyPanel({ shown, onShown }: KeyPanelProps) {
  const key = useQuery(apiKeyQuery);
  const focusRef = useFocusRecovery();
  return (
    <Panel title={t('developer.keyTitle')} hint={t('developer.keyHint')}>
      <div ref={focusRef}>
        {key.isPending && <Skeleton height="10" maxW="32rem" />}
        {key.isLoadingError && <LoadError message={t('apiKey.fetchError')} onRetry={key.refetch} />}
        {key.data?.apiKey && <ExistingKey apiKey={key.data.apiKey} shown={shown} onShown={onShown} />}
        {key.data && !key.data.apiKey && (key.data.hasApiKey ? <UnreadableKey /> : <NoKey />)}
      </div>
    </Panel>
  );
}

function NoKey() {
  const generate = useGenerateKey();
  return (
    <Stack align="start" gap="3">
      <Text color="fg.muted">{t('developer.noKey')}</Text>
      <LoadingButton colorPalette="jade" loading={generate.isPending} onClick={() => generate.mutate()}>
        <KeyRound aria-hidden /> {t('developer.generate')}
      </LoadingButton>
    </Stack>
  );
}

function UnreadableKey() {
  return (
    <Stack align="start" gap="3">
      <Text>{t('developer.unreadable')}</Text>
      <RevokeButton />
    </Stack>
  );
}

function ExistingKey({ apiKey, shown, onShown }: KeyPanelProps & { apiKey: string }) {
  return (
    <Flex gap="3" align="center" wrap="wrap">
      <Flex align="center" gap="1" minW="0" maxW="100%" borderWidth="1px" borderRadius="l2" ps="3" pe="1" minH="10">
        <Code
          variant="plain"
          size="md"
          px="0"
          minW="0"
          display="block"
          overflowWrap="anywhere"
          whiteSpace="normal"
          userSelect={shown ? undefined : 'none'}
        >
          {shown ? apiKey : maskKey(apiKey)}
        </Code>
        <IconButton
          size="xs"
          variant="ghost"
          aria-label={shown ? t('developer.hideKey') : t('developer.showKey')}
          onClick={() => onShown(!shown)}
        >
          {shown ? <EyeOff /> : <Eye />}
        </IconButton>
        <CopyButton label={t('developer.copyKey')} text={() => apiKey} announce />
      </Flex>
      <RevokeButton />
    </Flex>
  );
}

function RevokeButton() {
  const [asking, setAsking] = useState(false);
  const revoke = useRevokeKey(() => setAsking(false));
  return (
    <>
      <Button variant="outline" color="fg.error" onClick={() => setAsking(true)}>
        {t('developer.revoke')}
      </Button>
      {asking && (
        <ConfirmDialog
          title={t('developer.revokeTitle')}
          question={t('developer.revokeQuestion')}
          action={t('developer.revokeAction')}
          pending={revoke.isPending}
          onConfirm={() => revoke.mutate()}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
