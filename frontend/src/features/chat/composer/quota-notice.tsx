import { Button, type ButtonProps, Flex, Text } from '@chakra-ui/react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ProductLinks, PublicSettings, User } from '@tanya/contract';
import { useEffect } from 'react';
import { quotaRenewal } from '../../../app/i18n/quota-renewal';
import { t } from '../../../app/i18n/translate';
import { usePageOwner } from '../../../app/session/page-owner';
import { useComposerStore } from '../../../app/state/composer-store';
import { openDialog } from '../../../app/state/dialogs';
import { joinTexts, readDraft, writeDraft } from '../../../app/storage/drafts';
import { settingsQuery } from '../../../app/queries/settings.query';
import { currentUserQuery, quotaQuery } from '../../../app/queries/user.query';
import { ContactText } from '../../../components/buttons/admin-contact';
import { UpgradeButton } from '../../../components/buttons/upgrade-button';
import type { ConversationKey } from '../client/outbox-store';
import { usedUpReason } from '../shared/used-up-reason';

/** Replaces the composer when the quota is used up, with the actions that fit the plan. */
export default function QuotaNotice({ conversation }: { conversation: ConversationKey }) {
  useStoredText(conversation);
  const { data: user } = useQuery(currentUserQuery);
  const { data: quota } = useQuery(quotaQuery);
  useRenewal(quota?.resetsAt);
  const { data: settings } = useQuery(settingsQuery);
  return (
    <Flex
      className="composer-notice"
      role="status"
      align="center"
      justify="space-between"
      gap="3"
      wrap="wrap"
      borderWidth="1px"
      borderRadius="bubble"
      bg="bg.panel"
      px="5"
      py="4"
      minH="24"
    >
      <Text flex="1" minW="14rem">
        <ContactText text={t(usedUpReason(user, settings?.showUpgrade !== false))} />
        {quota && ` ${quotaRenewal(quota)}`}
        {!user && settings && settings.registrationMode !== 'closed' && ` ${accountText(settings)}`}
      </Text>
      <Flex gap="2" wrap="wrap">
        {user ? <MemberAction user={user} /> : <GuestActions links={settings?.links} />}
      </Flex>
    </Flex>
  );
}

/** Reads the quota again once its period is over: no event tells the page of that. */
function useRenewal(resetsAt: string | null | undefined): void {
  const client = useQueryClient();
  useEffect(() => {
    if (!resetsAt) return;
    const renew = () => {
      if (Date.parse(resetsAt) <= Date.now()) void client.invalidateQueries({ queryKey: quotaQuery.queryKey });
    };
    renew();
    // A timer to the end of the period would stand still while the device sleeps.
    const timer = setInterval(renew, 60_000);
    document.addEventListener('visibilitychange', renew);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', renew);
    };
  }, [client, resetsAt]);
}

/** What a guest gets by registration. */
const accountText = ({ freeUserMessageQuota: messages, quotaPeriod: period }: PublicSettings): string =>
  t('exhausted.account', { messages, period });

/** Stores a text for the composer, such as an unsent message after New chat, in the draft. */
function useStoredText(conversation: ConversationKey): void {
  const owner = usePageOwner();
  const text = useComposerStore((state) => state.text);
  useEffect(() => {
    if (text === null || owner === null) return;
    useComposerStore.setState({ text: null });
    writeDraft(owner, conversation, joinTexts(text.value, readDraft(owner, conversation)));
  }, [text, owner, conversation]);
}

function MemberAction({ user: { isAdmin, isPremium } }: { user: User }) {
  if (isAdmin) {
    return (
      <Button asChild size="sm" colorPalette="jade">
        <Link to="/admin/{-$page}" params={{ page: 'settings' }}>
          {t('sidebar.generalSettings')}
        </Link>
      </Button>
    );
  }
  return isPremium ? null : <UpgradeButton size="sm" colorPalette="jade" />;
}

/** An account is free, so Register is the main action and the first, which takes the focus. Without a link, Upgrade opens the dialog with the contact. */
function GuestActions({ links }: { links: ProductLinks | undefined }) {
  return (
    <>
      <RegisterButton size="sm" colorPalette="jade" url={links?.guestSignupUrl} />
      <Button size="sm" variant="outline" onClick={() => openDialog('login')}>
        {t('sidebar.login')}
      </Button>
      <UpgradeButton size="sm" variant={links?.upgradeUrl ? 'outline' : 'ghost'} />
    </>
  );
}

/** Links to the external sign-up page if one is set; otherwise opens the registration dialog. */
function RegisterButton({ url, ...props }: ButtonProps & { url: string | null | undefined }) {
  if (!url) {
    return (
      <Button {...props} onClick={() => openDialog('register')}>
        {t('sidebar.register')}
      </Button>
    );
  }
  return (
    <Button asChild {...props}>
      <a href={url} target="_blank" rel="noopener noreferrer">
        {t('sidebar.register')}
      </a>
    </Button>
  );
}
