import { Box, Button, Code, Flex, Input, Stack, Text } from '@chakra-ui/react';
import { queryOptions, useQuery } from '@tanstack/react-query';
import {
  type CreatedInvitation,
  type CreateInvitationRequest,
  type Invitation,
  INVITATION_PLANS,
  type InvitationPlan,
  LIMITS,
} from '@tanya/contract';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { DeleteButton } from '../../components/buttons/row-buttons';
import { api } from '../../app/api/api-client';
import { formatDateTime } from '../../app/i18n/formats';
import { t } from '../../app/i18n/translate';
import { queryClient } from '../../app/queries/query-client';
import { useSingleFlightMutation } from '../../app/queries/use-single-flight-mutation';
import { CopyButton } from '../../components/buttons/copy-button';
import { LoadingButton } from '../../components/buttons/loading-button';
import { Modal } from '../../components/dialogs/modal';
import { fail, showFailure } from '../../components/feedback/fail';
import { LoadError } from '../../components/feedback/load-error';
import { GroupChecks } from '../../components/forms/access-fields';
import { useFocusRecovery } from '../../components/hooks/use-focus-recovery';
import { FormField } from '../../components/forms/form-field';
import { Select } from '../../components/forms/select';
import { showServerErrors } from '../../components/forms/server-errors';

const INVITATIONS = '/api/admin/invitations';

const invitationsQuery = queryOptions({
  queryKey: ['admin', 'invitations'],
  queryFn: ({ signal }) => api.get<Invitation[]>(INVITATIONS, signal),
  staleTime: 0,
});

const readAgain = () => void queryClient.invalidateQueries({ queryKey: invitationsQuery.queryKey });

/** Makes links with which people register, and lists those that were made. */
export function InvitationsDialog({ onClose }: { onClose: () => void }) {
  const { register, handleSubmit, formState, setError } = useForm({
    defaultValues: { email: '', plan: 'free' as InvitationPlan },
  });
  // A link is shown once. A refusal of the next one does not take it away.
  const [link, setLink] = useState<string | null>(null);
  const [groupIds, setGroupIds] = useState<number[]>([]);
  const recoverFocus = useFocusRecovery();
  const create = useSingleFlightMutation({
    mutationFn: (request: CreateInvitationRequest) => api.post<CreatedInvitation>(INVITATIONS, request),
    onSuccess: ({ url }) => setLink(url),
    onError: (error) => {
      showFailure('invitations.createError', error);
      showServerErrors(error, ['email'], setError);
    },
    onSettled: readAgain,
  });
  const submit = handleSubmit(({ email, plan }) => create.mutate({ email: email.trim() || null, plan, groupIds }));
  return (
    <Modal
      title={t('invitations.title')}
      description={t('invitations.hint')}
      size="md"
      onClose={onClose}
      footer={<Button onClick={onClose}>{t('common.done')}</Button>}
    >
      <Stack ref={recoverFocus} gap="5">
        <form
          noValidate
          autoComplete="off"
          data-saved={link === null && !formState.isDirty && groupIds.length === 0}
          onSubmit={submit}
        >
          <Stack gap="4">
            <FormField
              label={t('invitations.email')}
              hint={t('invitations.emailHint')}
              error={formState.errors.email?.message}
            >
              <Input type="email" autoComplete="off" maxLength={LIMITS.email.max} {...register('email')} />
            </FormField>
            <FormField label={t('invitations.plan')}>
              <Select
                {...register('plan')}
                options={INVITATION_PLANS.map((plan) => [plan, t(`people.${plan}Plan`)] as const)}
              />
            </FormField>
            <GroupChecks legend={t('invitations.groups')} groupIds={groupIds} onChange={setGroupIds} />
            <LoadingButton type="submit" colorPalette="jade" alignSelf="start" loading={create.isPending}>
              {t('invitations.create')}
            </LoadingButton>
          </Stack>
        </form>
        {link !== null && (
          <Box role="status">
            <Text>{t('invitations.made')}</Text>
            <Flex gap="2" align="center">
              <Code overflowWrap="anywhere" minW="0">
                {link}
              </Code>
              <CopyButton text={() => link} label={t('common.copy')} />
            </Flex>
          </Box>
        )}
        <InvitationList />
      </Stack>
    </Modal>
  );
}

function InvitationList() {
  const { data, isError, refetch } = useQuery(invitationsQuery);
  if (isError && !data) return <LoadError message={t('invitations.loadError')} onRetry={refetch} />;
  if (data?.length === 0) return <Text color="fg.muted">{t('invitations.none')}</Text>;
  return (
    <Stack as="ul" gap="2" listStyleType="none" aria-label={t('invitations.list')}>
      {data?.map((invitation) => (
        <InvitationRow key={invitation.id} invitation={invitation} />
      ))}
    </Stack>
  );
}

function InvitationRow({ invitation }: { invitation: Invitation }) {
  const remove = useSingleFlightMutation({
    mutationFn: () => api.delete(`${INVITATIONS}/${invitation.id}`),
    onError: fail('invitations.deleteError'),
    onSettled: readAgain,
  });
  const name = invitation.email ?? t('invitations.anyone');
  return (
    <Flex as="li" gap="3" align="center" justify="space-between">
      <Box minW="0">
        <Text overflowWrap="anywhere">{name}</Text>
        <Text textStyle="sm" color="fg.muted">
          {[t(`people.${invitation.plan}Plan`), stateOf(invitation)].join(' · ')}
        </Text>
      </Box>
      <DeleteButton
        label={t('invitations.deleteOf', { name })}
        disabled={remove.isPending}
        onClick={() => remove.mutate()}
      />
    </Flex>
  );
}

function stateOf({ usedAt, username, expiresAt }: Invitation): string {
  const time = (iso: string) => formatDateTime(new Date(iso));
  if (usedAt !== null) return t('invitations.used', { name: username ?? '–', time: time(usedAt) });
  return t(Date.parse(expiresAt) < Date.now() ? 'invitations.expired' : 'invitations.expires', {
    time: time(expiresAt),
  });
}
