import { Box, Button, Center, Flex, Heading, Spinner, Stack, Text, VisuallyHidden } from '@chakra-ui/react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ContinueShareResponse, SharedConversation } from '@tanya/contract';
import { useEffect, useState } from 'react';
import { formatDateTime } from '../../../app/i18n/formats';
import { t } from '../../../app/i18n/translate';
import { api } from '../../../app/api/api-client';
import { errorText, hasCode } from '../../../app/api/api-error';
import { settingText } from '../../../app/language/setting-text';
import { onPrint } from '../../../app/theme/light-paper';
import { settingsQuery } from '../../../app/queries/settings.query';
import { currentUserQuery } from '../../../app/queries/user.query';
import { useSingleFlightMutation } from '../../../app/queries/use-single-flight-mutation';
import { ColorModeButton } from '../../../components/buttons/color-mode-button';
import { LoadingButton } from '../../../components/buttons/loading-button';
import { Logo } from '../../../components/layout/logo';
import { useDocumentTitle, usePageTitle } from '../../../components/layout/use-page-title';
import { storeGuestThread } from '../client/conversation-thread-store';
import { SharedMessageView } from './shared-message';
import { sharedQuery } from './shared.query';

/** The page of a share link: the conversation to read, and to continue in a chat of one's own. Needs no login. */
export function SharedPage({ token }: { token: string }) {
  const shared = useQuery(sharedQuery(token));
  usePageTitle(shared.data?.title ?? (shared.isError ? t('sharedPage.missing') : null));
  useDocumentTitle();
  useEffect(() => onPrint(), []);
  return (
    <Flex direction="column" height="100%">
      <SiteHeader />
      {shared.data ? (
        <SharedView token={token} conversation={shared.data} />
      ) : shared.isError ? (
        <Missing error={shared.error} onRetry={() => void shared.refetch()} />
      ) : (
        <Center as="main" flex="1" aria-busy>
          <Spinner color="fg.muted" aria-hidden />
          <VisuallyHidden role="status">{t('sharedPage.loading')}</VisuallyHidden>
        </Center>
      )}
    </Flex>
  );
}

/** Its links load the app, because this page runs without a socket. */
function SiteHeader() {
  const { data: settings } = useQuery(settingsQuery);
  const { data: user } = useQuery(currentUserQuery);
  return (
    <Flex
      as="header"
      align="center"
      px={{ base: '3', sm: '4' }}
      height="12"
      gap="1"
      flexShrink={0}
      borderBottomWidth="1px"
    >
      <Flex asChild align="center" gap="2" minW="0" flex="1" fontWeight="semibold">
        <a href="/">
          <Logo size="6" />
          <Box as="span" truncate>
            {settingText('siteTitle', settings)}
          </Box>
        </a>
      </Flex>
      <ColorModeButton />
      {user === null && (
        <Button asChild size="sm" variant="ghost">
          <a href="/?login">{t('sidebar.login')}</a>
        </Button>
      )}
    </Flex>
  );
}

function SharedView({ token, conversation }: { token: string; conversation: SharedConversation }) {
  const { title, createdAt, messages } = conversation;
  const date = formatDateTime(new Date(createdAt));
  return (
    <>
      <Box
        as="main"
        // On paper: print.css.
        className="shared-conversation"
        flex="1"
        minH="0"
        overflowY="auto"
        tabIndex={0}
        aria-label={title}
        focusVisibleRing="inside"
      >
        <Stack maxW="48rem" mx="auto" px={{ base: '3', sm: '4' }} py="5" gap="1">
          <Text textStyle="xs" color="fg.muted">
            {t('sharedPage.shared')}
          </Text>
          <Heading as="h1" dir="auto" textStyle="xl" fontWeight="semibold" overflowWrap="anywhere">
            {title}
          </Heading>
          <Text color="fg.muted">{t('sharedPage.sharedOn', { date })}</Text>
        </Stack>
        <Box as="section" aria-label={t('sharedPage.messages')} pb="6">
          {messages.map((message, at) => (
            <SharedMessageView key={at} message={message} scope={`s${at}`} />
          ))}
        </Box>
      </Box>
      <ContinueBar token={token} />
    </>
  );
}

function ContinueBar({ token }: { token: string }) {
  const [isLeaving, setLeaving] = useState(false);
  const client = useQueryClient();
  const copy = useSingleFlightMutation({
    mutationFn: async () => {
      // Not after the copy: a session that cannot be read would leave one that no page shows.
      const user = await client.fetchQuery(currentUserQuery);
      return { user, ...(await api.post<ContinueShareResponse>(`/api/share/${encodeURIComponent(token)}/continue`)) };
    },
    onSuccess: ({ user, threadId }) => {
      setLeaving(true);
      // The browser stores the thread of a guest, whose address has no thread id.
      if (!user) storeGuestThread(threadId);
      // The app starts its socket when it loads.
      window.location.assign(user ? `/chat/${threadId}` : '/');
    },
  });
  return (
    <Flex
      as="footer"
      direction="column"
      align="center"
      gap="2"
      px="4"
      pt="3"
      pb="calc(0.75rem + env(safe-area-inset-bottom))"
      flexShrink={0}
      borderTopWidth="1px"
    >
      <LoadingButton
        colorPalette="jade"
        loading={copy.isPending || isLeaving}
        loadingText={t('sharedPage.continuing')}
        onClick={() => copy.mutate()}
      >
        {t('sharedPage.continue')}
      </LoadingButton>
      {copy.isError && (
        <Text role="alert" color="fg.error" textAlign="center">
          {t('sharedPage.continueFailed')}. {errorText(copy.error)}
        </Text>
      )}
    </Flex>
  );
}

function Missing({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const isMissing = hasCode(error, 'not_found');
  return (
    <Center as="main" flex="1" p="6">
      <Stack gap="4" align="center" textAlign="center" role="alert">
        <Heading as="h1" textStyle="xl">
          {isMissing ? t('sharedPage.missing') : t('sharedPage.failed')}
        </Heading>
        <Text color="fg.muted">{isMissing ? t('sharedPage.missingHint') : errorText(error)}</Text>
        {isMissing ? (
          <Button asChild colorPalette="jade">
            <a href="/">{t('sharedPage.home')}</a>
          </Button>
        ) : (
          <Button variant="outline" onClick={onRetry}>
            {t('sharedPage.tryAgain')}
          </Button>
        )}
      </Stack>
    </Center>
  );
}
