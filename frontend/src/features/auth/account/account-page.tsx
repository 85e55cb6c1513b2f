import { Button, Heading, Stack, Tabs, Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Language, User } from '@tanya/contract';
import { Download } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { t } from '../../../app/i18n/translate';
import { api } from '../../../app/api/api-client';
import { chooseLanguage } from '../../../app/language/follow-language';
import { endSession } from '../../../app/session/session-lifecycle';
import { useColorMode, type ColorModePreference } from '../../../app/theme/color-mode';
import { useCanShare } from '../../../app/queries/use-can-share';
import { currentUserQuery } from '../../../app/queries/user.query';
import { useSingleFlightMutation } from '../../../app/queries/use-single-flight-mutation';
import { ConfirmDialog } from '../../../components/dialogs/confirm-dialog';
import { DiscardQuestion } from '../../../components/dialogs/modal';
import { fail } from '../../../components/feedback/fail';
import { notify } from '../../../components/feedback/notify';
import { LanguageSelect } from '../../../components/forms/language-select';
import { Select } from '../../../components/forms/select';
import { useUnsavedGuard } from '../../../components/hooks/use-unsaved-guard';
import { PageShell } from '../../../components/layout/page-shell';
import { type AccountTab, ACCOUNT_TABS } from './account-tabs';
import { ExportEverything } from '../data/export-everything';
import { ImportChats } from '../data/import-chats';
import { SharedLinks } from '../data/shared-links';
import { DeleteAccount } from './delete-account';
import { InstructionsForm } from './instructions-form';
import { PasswordForm } from '../password-form';
import { ProfileForm } from './profile-form';
import { PasskeySection } from '../passkeys/passkey-section';
import { SessionList } from './session-list';
import { Identities } from '../oidc/identities';
import { signInProvidersQuery } from '../../../app/queries/sign-in-providers.query';
import { TotpSection } from '../totp/totp-section';

const ADDRESS = /^\/account(\/|$)/;

/**
 * The own account, a tab for each address. A tab that was left keeps what was entered; leaving the page asks while
 * something is not saved, or while codes are shown that the server cannot show again.
 */
export function AccountPage({ tab }: { tab: AccountTab }) {
  const { data: user } = useQuery(currentUserQuery);
  const navigate = useNavigate();
  const guard = useUnsavedGuard(hasUnsaved, (path) => ADDRESS.test(path));
  if (!user) return null;
  return (
    <PageShell title={t('account.title')} sentence={user.fullName ?? user.username}>
      <Tabs.Root
        value={tab}
        lazyMount
        maxW="40rem"
        onValueChange={({ value }) => void navigate({ to: '/account/{-$tab}', params: { tab: value }, replace: true })}
      >
        <Tabs.List colorPalette="jade">
          {ACCOUNT_TABS.map((name) => (
            <Tabs.Trigger key={name} value={name}>
              {t(`account.tabs.${name}`)}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        <Panel value="general">
          <General user={user} />
        </Panel>
        <Panel value="personal">
          <Personal user={user} />
        </Panel>
        <Panel value="security">
          <Security user={user} />
        </Panel>
        <Panel value="data">{tab === 'data' && <Data />}</Panel>
      </Tabs.Root>
      {guard.isAsking && <DiscardQuestion onStay={guard.stay} onDiscard={guard.leave} />}
    </PageShell>
  );
}

/** Every form of the page, and what is shown once, says whether it is saved. */
const hasUnsaved = (): boolean => document.querySelector('main [data-saved=false]') !== null;

function Panel({ value, children }: { value: AccountTab; children: ReactNode }) {
  return (
    <Tabs.Content value={value} pt="6">
      <Stack gap="6">{children}</Stack>
    </Tabs.Content>
  );
}

function Section({ title, hint, children }: { title: string; hint: string; children: ReactNode }) {
  return (
    <Stack gap="3" _notFirst={{ borderTopWidth: '1px', pt: '6' }}>
      <div>
        <Heading as="h2" textStyle="sm" fontWeight="semibold">
          {title}
        </Heading>
        <Text color="fg.muted">{hint}</Text>
      </div>
      {children}
    </Stack>
  );
}

function General({ user }: { user: User }) {
  return (
    <>
      <Section title={t('account.language')} hint={t('account.languageHint')}>
        <AccountLanguage language={user.language ?? null} />
      </Section>
      <Section title={t('account.theme')} hint={t('account.themeHint')}>
        <ThemeSelect />
      </Section>
    </>
  );
}

function Personal({ user }: { user: User }) {
  return (
    <>
      <Section title={t('account.profile')} hint={t('account.profileHint')}>
        <ProfileForm user={user} />
      </Section>
      <Section title={t('instructions.title')} hint={t('instructions.hint')}>
        <InstructionsForm userId={user.id} />
      </Section>
    </>
  );
}

function Security({ user }: { user: User }) {
  return (
    <>
      <Section title={t('account.changePassword')} hint={t('account.changePasswordHint')}>
        <PasswordForm />
      </Section>
      <Section title={t('passkeys.title')} hint={t('passkeys.hint')}>
        <PasskeySection />
      </Section>
      <Section title={t('totp.title')} hint={t('totp.hint')}>
        <TotpSection user={user} />
      </Section>
      <ConnectedLogins />
      <Section title={t('account.sessions')} hint={t('account.sessionsHint')}>
        <SessionList />
        <LogoutEverywhere />
      </Section>
      {!user.isAdmin && (
        <Section title={t('account.delete')} hint={t('account.deleteHint')}>
          <DeleteAccount />
        </Section>
      )}
    </>
  );
}

/** Absent without a provider. */
function ConnectedLogins() {
  const { data: providers = [] } = useQuery(signInProvidersQuery);
  if (providers.length === 0) return null;
  return (
    <Section title={t('signIn.identities')} hint={t('signIn.identitiesHint')}>
      <Identities />
    </Section>
  );
}

function Data() {
  const canShare = useCanShare();
  return (
    <>
      <Section title={t('sharedLinks.title')} hint={canShare ? t('sharedLinks.hint') : t('sharedLinks.off')}>
        <SharedLinks />
      </Section>
      <Section title={t('imports.title')} hint={t('imports.hint')}>
        <ImportChats />
      </Section>
      <Section title={t('exports.title')} hint={t('exports.hint')}>
        <ExportEverything />
      </Section>
      <Section title={t('account.data')} hint={t('account.dataHint')}>
        <Button asChild variant="outline" alignSelf="start">
          <a href="/api/user/export" download>
            <Download aria-hidden /> {t('account.export')}
          </a>
        </Button>
      </Section>
    </>
  );
}

function AccountLanguage({ language }: { language: Language | null }) {
  const save = useSingleFlightMutation({
    mutationFn: (chosen: Language | null) => chooseLanguage(chosen),
    onSuccess: (isShown) =>
      notify({ title: t('account.languageSaved'), description: isShown ? undefined : t('account.languageLater') }),
    onError: fail('account.languageFailed'),
  });
  const shown = save.isPending ? save.variables : language;
  return <LanguageSelect value={shown} onChange={(chosen) => save.mutate(chosen)} />;
}

const THEMES: readonly ColorModePreference[] = ['system', 'light', 'dark'];

function ThemeSelect() {
  const { preference, setPreference } = useColorMode();
  return (
    <Select
      root={{ maxW: '20rem' }}
      aria-label={t('account.theme')}
      value={preference}
      onChange={({ target }) => setPreference(THEMES.find((theme) => theme === target.value) ?? 'system')}
      options={THEMES.map((theme) => [theme, t(`account.themes.${theme}`)] as const)}
    />
  );
}

function LogoutEverywhere() {
  const [isOpen, setOpen] = useState(false);
  const logoutEverywhere = useSingleFlightMutation({
    mutationFn: () => api.post('/api/user/logout-everywhere'),
    onSuccess: () => {
      void endSession();
      notify({ title: t('auth.loggedOut'), description: t('account.loggedOutEverywhere') });
    },
    onError: fail('auth.logoutFailed'),
  });
  return (
    <>
      <Button variant="outline" alignSelf="start" onClick={() => setOpen(true)}>
        {t('account.logoutEverywhere')}
      </Button>
      {isOpen && (
        <ConfirmDialog
          title={t('account.logoutEverywhere')}
          question={t('account.everywhereQuestion')}
          action={t('account.logoutEverywhere')}
          pending={logoutEverywhere.isPending}
          onConfirm={() => logoutEverywhere.mutate()}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}
