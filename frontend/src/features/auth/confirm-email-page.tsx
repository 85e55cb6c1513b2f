import { useQuery } from '@tanstack/react-query';
import type { ConfirmEmailRequest, ConfirmEmailResponse } from '@tanya/contract';
import { api } from '../../app/api/api-client';
import { errorText, hasCode } from '../../app/api/api-error';
import { t } from '../../app/i18n/translate';
import { useSingleFlightMutation } from '../../app/queries/use-single-flight-mutation';
import { LoadingButton } from '../../components/buttons/loading-button';
import { fail } from '../../components/feedback/fail';
import { LoadError } from '../../components/feedback/load-error';
import { usePageTitle } from '../../components/layout/use-page-title';
import { Frame, HomeButton } from './link-frame';

const confirm = (request: ConfirmEmailRequest) => api.post<ConfirmEmailResponse>('/api/register/confirm', request);

/** The link that was mailed to the address of a new account. In another browser it asks for a press of a button. */
export function ConfirmEmailPage({ token }: { token: string }) {
  usePageTitle(t('confirmEmail.title'));
  const opened = useQuery({
    queryKey: ['confirm-email', token],
    queryFn: () => confirm({ token }),
    staleTime: Infinity,
    retry: false,
  });
  const pressed = useSingleFlightMutation({
    mutationFn: () => confirm({ token, isPressed: true }),
    onError: fail('confirmEmail.title'),
  });
  const error = pressed.error ?? opened.error;
  if (hasCode(error, 'confirmation_invalid'))
    return (
      <Frame isResult title={t('reset.invalid')} sentence={t('confirmEmail.invalidHint')}>
        <HomeButton dialog="login">{t('sidebar.login')}</HomeButton>
      </Frame>
    );
  if (opened.data?.isConfirmed || pressed.data?.isConfirmed)
    return (
      <Frame isResult title={t('confirmEmail.done')} sentence={t('confirmEmail.doneHint')}>
        <HomeButton dialog="login">{t('sidebar.login')}</HomeButton>
      </Frame>
    );
  if (opened.isPending) return null;
  return (
    <Frame title={t('confirmEmail.title')} sentence={t('confirmEmail.sentence')}>
      {opened.isError ? (
        <LoadError message={errorText(opened.error)} onRetry={opened.refetch} />
      ) : (
        <LoadingButton
          colorPalette="jade"
          alignSelf="center"
          loading={pressed.isPending}
          onClick={() => pressed.mutate()}
        >
          {t('confirmEmail.press')}
        </LoadingButton>
      )}
    </Frame>
  );
}
