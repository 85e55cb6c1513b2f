import { Box, Button, Flex, Heading, Stack, Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { Navigate, useNavigate } from '@tanstack/react-router';
import type { CompleteSignInRequest, User } from '@tanya/contract';
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { findText, t } from '../../../app/i18n/translate';
import { settingsQuery } from '../../../app/queries/settings.query';
import { currentUserQuery } from '../../../app/queries/user.query';
import { useDialogs } from '../../../app/state/dialogs';
import { notify } from '../../../components/feedback/notify';
import { usePageTitle } from '../../../components/layout/use-page-title';
import { AuthPanels } from '../auth-panels';
import { useForm } from 'react-hook-form';
import { api } from '../../../app/api/api-client';
import { errorText, hasCode } from '../../../app/api/api-error';
import { useSingleFlightMutation } from '../../../app/queries/use-single-flight-mutation';
import { beginSession } from '../../../app/session/session-lifecycle';
import { LoadingButton } from '../../../components/buttons/loading-button';
import { showFailure } from '../../../components/feedback/fail';
import { keepChoice } from '../../../app/language/keep-choice';
import { CodeField } from '../totp/code-field';

/** What the server says in the address when it sends a browser back from a provider. */
export interface LoginSearch {
  step: string | null;
  error: string | null;
  reason: string | null;
  /** Of the sign-in that failed, where it is known: `login`, `reauth` or `link`. */
  purpose: string | null;
  returnTo: string;
}

/** The address of this site that the search names, without its origin. */
export function readLoginSearch(search: string): LoginSearch {
  const values = new URLSearchParams(search);
  const wanted = values.get('returnTo') ?? '/';
  const isOwn = URL.canParse(wanted, window.location.origin);
  const url = isOwn ? new URL(wanted, window.location.origin) : null;
  const path = url?.origin === window.location.origin ? url.pathname + url.search + url.hash : '/';
  // Two slashes, which `/.//` leaves, would begin the name of another host.
  const returnTo = path.replace(/^\/+/, '/');
  return {
    step: values.get('step'),
    error: values.get('error'),
    reason: values.get('reason'),
    purpose: values.get('purpose'),
    returnTo,
  };
}

/** What ends a sign-in. Any page can link here with the code of another failure, whose text would not be true. */
const SIGN_IN_ERROR =
  /^(?:sign_in_failed|identity_|account_|(?:rate_limited|storage_unavailable)\.|conflict\.identity_taken$)/;

const failureText = ({ error, reason }: LoginSearch): string =>
  (SIGN_IN_ERROR.test(`${error}.${reason}`)
    ? (findText(`reasons.${error}.${reason}`) ?? findText(`errors.${error}`))
    : null) ?? t('errors.sign_in_failed');

/** The login on a page of its own, where browsers arrive from a provider: to give a code, or to read what went wrong. */
export function LoginPage({ search }: { search: LoginSearch }) {
  usePageTitle(t('sidebar.login'));
  const { data: user, isPending } = useQuery(currentUserQuery);
  return isPending ? null : <Login search={search} user={user ?? null} />;
}

function Login({ search, user }: { search: LoginSearch; user: User | null }) {
  const navigate = useNavigate();
  const { data: settings } = useQuery(settingsQuery);
  const open = useDialogs((dialogs) => dialogs.open);
  const [asksCode, setAsksCode] = useState(search.step === 'code');
  const [hasTriedAgain, setHasTriedAgain] = useState(false);
  const [wasSignedIn] = useState(user !== null);
  const hasFailed = search.error !== null;
  useEffect(() => {
    if (!wasSignedIn || !hasFailed) return;
    const title = t(search.purpose === 'link' ? 'signIn.notConnected' : 'signIn.notCompleted');
    notify({ title, description: failureText(search), kind: 'error' });
  }, [wasSignedIn, hasFailed, search]);
  // Of an attempt that is unknown a member can only have begun to connect a login.
  const place = wasSignedIn && hasFailed && search.purpose === null ? '/account/security' : search.returnTo;
  if (user) return <Navigate to={place} replace />;
  const finish = () => void navigate({ href: search.returnTo, replace: true });
  if (asksCode)
    return (
      <Frame title={t('auth.loginTitle')}>
        <CodeForm onDone={finish} onBack={() => setAsksCode(false)} />
      </Frame>
    );
  // While guests are off there are no dialogs.
  const isPanel = settings?.guestsEnabled === false && (open === 'register' || open === 'forgot-password');
  return (
    <Failure
      value={{ text: hasFailed && !hasTriedAgain ? failureText(search) : null, end: () => setHasTriedAgain(true) }}
    >
      <AuthPanels mode={isPanel ? open : 'login'} returnTo={search.returnTo} onDone={finish} frame={Frame} />
    </Failure>
  );
}

/** Why the browser came back without a session, until a form says how another attempt went. */
const Failure = createContext<{ text: string | null; end?: () => void }>({ text: null });

interface FrameProps {
  title: string;
  description?: string;
  children: ReactNode;
}

function Frame({ title, description, children }: FrameProps) {
  const { text: failure, end } = useContext(Failure);
  return (
    <Flex as="main" height="100%" overflowY="auto" p="4">
      <Stack gap="4" width="100%" maxW="26rem" m="auto">
        <Box>
          <Heading as="h1" textStyle="xl" fontWeight="semibold">
            {title}
          </Heading>
          {description && <Text color="fg.muted">{description}</Text>}
        </Box>
        {failure !== null && (
          <Box role="alert" p="3" borderRadius="l2" bg="bg.error" color="fg.error">
            <Text fontWeight="medium">{t('signIn.failed')}</Text>
            <Text>{failure}</Text>
          </Box>
        )}
        <Box onSubmit={end}>{children}</Box>
      </Stack>
    </Flex>
  );
}

/** Ends a login at a provider with the code of the account's second factor. */
function CodeForm({ onDone, onBack }: { onDone: () => void; onBack: () => void }) {
  const form = useForm<CompleteSignInRequest>({ defaultValues: { code: '' } });
  const complete = useSingleFlightMutation({
    mutationFn: async (request: CompleteSignInRequest) =>
      keepChoice(await api.post<User>('/api/auth/oidc/complete', request)),
    onSuccess: (user) => {
      void beginSession(user);
      onDone();
      notify({ title: t('auth.loginSuccess'), description: t('auth.loginSuccessHint') });
    },
    onError: (error) => {
      if (hasCode(error, 'totp_invalid'))
        return form.setError('code', { message: errorText(error) }, { shouldFocus: true });
      showFailure('auth.loginFailed', error);
      if (hasCode(error, 'sign_in_failed')) onBack();
    },
  });
  return (
    <form noValidate onSubmit={form.handleSubmit((values) => complete.mutate(values))}>
      <Stack gap="4">
        <Text role="status">{t('signIn.codeHint')}</Text>
        <CodeField
          autoFocus
          withRecovery
          error={form.formState.errors.code?.message}
          {...form.register('code', { required: t('totp.codeRequired') })}
        />
        <LoadingButton type="submit" colorPalette="jade" loading={complete.isPending}>
          {t('sidebar.login')}
        </LoadingButton>
        <Button variant="ghost" size="sm" alignSelf="start" onClick={onBack}>
          {t('signIn.again')}
        </Button>
      </Stack>
    </form>
  );
}
