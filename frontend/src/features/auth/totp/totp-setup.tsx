import { Box, Code, Flex, Skeleton, Stack, Text } from '@chakra-ui/react';
import type { EnrollTotpRequest, TotpEnrollment, TotpRecoveryCodes, User } from '@tanya/contract';
import { Suspense, useState } from 'react';
import { useForm } from 'react-hook-form';
import { t } from '../../../app/i18n/translate';
import { api } from '../../../app/api/api-client';
import { errorText } from '../../../app/api/api-error';
import { renewSession } from '../../../app/session/session-lifecycle';
import { useSingleFlightMutation } from '../../../app/queries/use-single-flight-mutation';
import { CopyButton } from '../../../components/buttons/copy-button';
import { LoadingButton } from '../../../components/buttons/loading-button';
import { lazyWithPreload } from '../../../components/lazy/lazy-with-preload';
import { fail } from '../../../components/feedback/fail';
import { CodeField } from './code-field';
import { PasswordAndCode } from './password-and-code';

const QrCode = lazyWithPreload(() => import('./qr-code'));

interface TotpSetupProps {
  user: User;
  onCancel?: () => void;
  /** Called with true when the activation is requested, and with false when it is refused. */
  onConfirming?: (isConfirming: boolean) => void;
  onActivated: (recoveryCodes: string[]) => void;
}

/** Enrolment of a second factor: password, then QR code and confirmation. The other sessions end with it. */
export function TotpSetup({ user, onCancel, ...confirmation }: TotpSetupProps) {
  const [enrollment, setEnrollment] = useState<TotpEnrollment | null>(null);
  if (enrollment) return <ConfirmStep enrollment={enrollment} onCancel={onCancel} {...confirmation} />;
  return (
    <PasswordAndCode
      asksCode={user.hasTotp}
      action={t('totp.next')}
      onFailure={fail('totp.setUpFailed')}
      send={(values: EnrollTotpRequest) => {
        void QrCode.preload();
        return api.post<TotpEnrollment>('/api/user/totp/enroll', values);
      }}
      onDone={setEnrollment}
      onCancel={onCancel}
    />
  );
}

function ConfirmStep({
  enrollment,
  onCancel,
  onConfirming,
  onActivated,
}: Omit<TotpSetupProps, 'user'> & { enrollment: TotpEnrollment }) {
  const form = useForm({ defaultValues: { code: '' } });
  const confirm = useSingleFlightMutation({
    mutationFn: (values: { code: string }) => api.post<TotpRecoveryCodes>('/api/user/totp/confirm', values),
    onMutate: () => onConfirming?.(true),
    onSuccess: ({ recoveryCodes }) => {
      // Before the server closes the sockets of the old session.
      renewSession();
      onActivated(recoveryCodes);
    },
    onError: (error) => {
      onConfirming?.(false);
      form.setError('code', { message: errorText(error) }, { shouldFocus: true });
    },
  });
  return (
    <form noValidate data-saved={false} onSubmit={form.handleSubmit((values) => confirm.mutate(values))}>
      <Stack gap="4">
        <Text>{t('totp.scan')}</Text>
        <Flex gap="4" align="center" wrap="wrap">
          <Box width="11rem" aspectRatio="1" flexShrink={0} borderRadius="l2" overflow="hidden" borderWidth="1px">
            <Suspense fallback={<Skeleton height="100%" />}>
              <QrCode text={enrollment.uri} label={t('totp.qrCode')} />
            </Suspense>
          </Box>
          <Flex flex="1" minW="12rem" gap="1" align="center">
            <Code variant="plain" px="0" overflowWrap="anywhere" whiteSpace="normal">
              {enrollment.secret.match(/.{1,4}/g)?.join(' ')}
            </Code>
            <CopyButton label={t('totp.copyKey')} text={() => enrollment.secret} />
          </Flex>
        </Flex>
        <CodeField
          autoFocus
          error={form.formState.errors.code?.message}
          {...form.register('code', { required: t('totp.appCodeRequired') })}
        />
        <Flex gap="2">
          <LoadingButton type="submit" colorPalette="jade" loading={confirm.isPending}>
            {t('totp.turnOn')}
          </LoadingButton>
          {onCancel && (
            <LoadingButton variant="outline" disabled={confirm.isPending} onClick={onCancel}>
              {t('common.cancel')}
            </LoadingButton>
          )}
        </Flex>
      </Stack>
    </form>
  );
}
