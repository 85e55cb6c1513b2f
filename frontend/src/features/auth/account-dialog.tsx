import { Box, Button, Heading, Stack, Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useRef, useState } from 'react';
import { t } from '../../app/i18n/translate';
import { api } from '../../app/api/api-client';
import { errorText } from '../../app/api/api-error';
import { endSession } from '../../app/session/session-lifecycle';
import { useCanShare } from '../../app/queries/use-can-share';
import { currentUserQuery } from '../../app/queries/user.query';
import { useSingleFlightMutation } from '../../app/queries/use-single-flight-mutation';
import { Modal } from '../../components/dialogs/modal';
import { notify } from '../../components/feedback/notify';
import { LoadingButton } from '../../components/buttons/loading-button';
import { ImportChats } from './data/import-chats';
import { SharedLinks } from './data/shared-links';
import { DeleteAccount } from './delete-account';
import { InstructionsForm } from './instructions-form';
import { PasswordForm } from './password-form';
import { ProfileForm } from './profile-form';
import { TotpSection } from './totp/totp-section';
import type { Language } from '@tanya/contract';
import { chooseLanguage } from '../../app/language/follow-language';
import { LanguageSelect } from '../../components/forms/language-select';

export default function AccountDialog({ onClose }: { onClose: () => void }) {
  const { data: user } = useQuery(currentUserQuery);
  const canShare = useCanShare();
  const top = useRef<HTMLDivElement>(null);
  const [isLocked, setLocked] = useState(false);
  const logoutEverywhere = useSingleFlightMutation({
    mutationFn: () => api.post('/api/user/logout-everywhere'),
    onSuccess: () => {
      onClose();
      void endSession();
      notify({ title: t('auth.loggedOut'), description: t('account.loggedOutEverywhere') });
    },
    onError: (error) => notify({ title: t('auth.logoutFailed'), description: errorText(error), kind: 'error' }),
  });
  if (!user) return null;

  return (
    <Modal
      title={t('account.title')}
      description={user.fullName ?? user.username}
      onClose={onClose}
      isLocked={isLocked}
      // A field would open the keyboard of a phone with its value selected.
      initialFocus={top}
      size="md"
    >
      <Stack ref={top} tabIndex={-1} outline="none" gap="6" separator={<Box borderTopWidth="1px" />}>
        <Section title={t('account.profile')} hint={t('account.profileHint')}>
          <ProfileForm user={user} />
        </Section>
        <Section title={t('account.language')} hint={t('account.languageHint')}>
          <AccountLanguage language={user.language ?? null} />
        </Section>
        <Section title={t('instructions.title')} hint={t('instructions.hint')}>
          <InstructionsForm userId={user.id} />
        </Section>
        <Section title={t('account.changePassword')} hint={t('account.changePasswordHint')}>
          <PasswordForm username={user.username} />
        </Section>
        <Section title={t('totp.title')} hint={t('totp.hint')}>
          <TotpSection user={user} onLock={setLocked} />
        </Section>
        <Section title={t('account.sessions')} hint={t('account.sessionsHint')}>
          <LoadingButton
            variant="outline"
            alignSelf="start"
            loading={logoutEverywhere.isPending}
            onClick={() => logoutEverywhere.mutate()}
          >
            {t('account.logoutEverywhere')}
          </LoadingButton>
        </Section>
        <Section title={t('sharedLinks.title')} hint={canShare ? t('sharedLinks.hint') : t('sharedLinks.off')}>
          <SharedLinks />
        </Section>
        <Section title={t('imports.title')} hint={t('imports.hint')}>
          <ImportChats />
        </Section>
        <Section title={t('account.data')} hint={t('account.dataHint')}>
          <Button asChild variant="outline" alignSelf="start">
            <a href="/api/user/export" download>
              <Download aria-hidden /> {t('account.export')}
            </a>
          </Button>
        </Section>
        {!user.isAdmin && (
          <Section title={t('account.delete')} hint={t('account.deleteHint')}>
            <DeleteAccount onDeleted={onClose} />
          </Section>
        )}
      </Stack>
    </Modal>
  );
}

function Section({ title, hint, children }: { title: string; hint: string; children: React.ReactNode }) {
  return (
    <Stack gap="3">
      <div>
        <Heading as="h3" textStyle="sm" fontWeight="semibold">
          {title}
        </Heading>
        <Text color="fg.muted">{hint}</Text>
      </div>
      {children}
    </Stack>
  );
}

function AccountLanguage({ language }: { language: Language | null }) {
  const save = useSingleFlightMutation({
    mutationFn: (chosen: Language | null) => chooseLanguage(chosen),
    onSuccess: (isShown) =>
      notify({ title: t('account.languageSaved'), description: isShown ? undefined : t('account.languageLater') }),
    onError: (error) => notify({ title: t('account.languageFailed'), description: errorText(error), kind: 'error' }),
  });
  const shown = save.isPending ? save.variables : language;
  return <LanguageSelect value={shown} onChange={(chosen) => save.mutate(chosen)} />;
}
