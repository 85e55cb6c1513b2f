import { Flex, Input, Skeleton, Stack, Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import {
  RETENTION_DAYS_MAX,
  type Retention,
  type RetentionPreview,
  type RetentionRules,
  type UpdateRetentionRequest,
} from '@tanya/contract';
import { useForm, useWatch } from 'react-hook-form';
import { api } from '../../app/api/api-client';
import { formatDate, formatDateTime, formatNumber } from '../../app/i18n/formats';
import { t } from '../../app/i18n/translate';
import { queryClient } from '../../app/queries/query-client';
import { QUERY_KEYS } from '../../app/queries/query-keys';
import { useSingleFlightMutation } from '../../app/queries/use-single-flight-mutation';
import { LoadingButton } from '../../components/buttons/loading-button';
import { DiscardQuestion } from '../../components/dialogs/modal';
import { fail, showFailure } from '../../components/feedback/fail';
import { LoadError } from '../../components/feedback/load-error';
import { notify } from '../../components/feedback/notify';
import { editedOnly, hasEdits } from '../../components/forms/edited-only';
import { FormCheckbox } from '../../components/forms/form-checkbox';
import { FormField } from '../../components/forms/form-field';
import { showServerErrors } from '../../components/forms/server-errors';
import { showStored } from '../../components/forms/show-stored';
import { useUnsavedGuard } from '../../components/hooks/use-unsaved-guard';
import { PageShell } from '../../components/layout/page-shell';
import { Panel } from '../../components/layout/panel';

const PATH = '/api/admin/retention';
const QUERY = { queryKey: [...QUERY_KEYS.admin, 'retention'], queryFn: () => api.get<Retention>(PATH) };

const DAYS = ['guest', 'free', 'premium'] as const;

/** How long chats stay after their last message. */
export default function RetentionPage() {
  const retention = useQuery({ ...QUERY, refetchOnMount: 'always' });
  return (
    <PageShell title={t('sidebar.retention')} sentence={t('retention.sentence')}>
      <Panel title={t('retention.rules')} hint={t('retention.rulesHint')}>
        {retention.isPending && <Skeleton height="14rem" role="status" aria-label={t('retention.loading')} />}
        {retention.isLoadingError && <LoadError message={t('retention.loadError')} onRetry={retention.refetch} />}
        {retention.data && <RulesForm retention={retention.data} />}
      </Panel>
    </PageShell>
  );
}

const valuesOf = ({ guest, free, premium, exemptPinned }: RetentionRules) => ({
  guest: textOf(guest),
  free: textOf(free),
  premium: textOf(premium),
  exemptPinned,
});

type Values = ReturnType<typeof valuesOf>;

const rulesOf = ({ guest, free, premium, exemptPinned }: Values): RetentionRules => ({
  guest: daysOf(guest),
  free: daysOf(free),
  premium: daysOf(premium),
  exemptPinned,
});

function RulesForm({ retention }: { retention: Retention }) {
  const { effectiveAt, inForce } = retention;
  const form = useForm({
    values: valuesOf(retention),
    // Another admin's changes appear without overwriting fields that are edited here.
    resetOptions: { keepDirtyValues: true },
  });
  const { register, control, handleSubmit, setError } = form;
  const { errors, dirtyFields } = form.formState;
  const isSaved = !hasEdits(dirtyFields);
  const guard = useUnsavedGuard(() => !isSaved);
  const shown = JSON.stringify([useWatch({ control }), retention]);
  const changesIn = (values: Values): UpdateRetentionRequest => editedOnly(rulesOf(values), dirtyFields);
  const look = useSingleFlightMutation({
    mutationFn: (values: Values) => api.put<RetentionPreview>(PATH, { ...changesIn(values), dryRun: true }),
    onMutate: () => shown,
    onError: fail('retention.previewError'),
  });
  const save = useSingleFlightMutation({
    mutationFn: (values: Values) => api.put<Retention>(PATH, changesIn(values)),
    onSuccess: (stored, sent) => {
      queryClient.setQueryData(QUERY.queryKey, stored);
      showStored(form, valuesOf(stored), sent);
      notify({ title: t('retention.saved') });
    },
    onError: (error) => {
      showFailure('retention.saveError', error);
      showServerErrors(error, DAYS, setError);
    },
  });
  // Of the rules that are shown; they may have changed since they were asked about.
  const preview = look.context === shown ? look.data : undefined;
  return (
    <form noValidate autoComplete="off" data-saved={isSaved} onSubmit={handleSubmit((values) => save.mutate(values))}>
      <Stack gap="4" maxW="32rem">
        {effectiveAt !== null && (
          <Stack role="note" gap="1" p="3" bg="bg.info" borderRadius="l2" textStyle="sm">
            <Text>{t('retention.pending', { time: formatDateTime(new Date(effectiveAt)) })}</Text>
            <Text color="fg.muted">{t('retention.until', { rules: rulesText(inForce) })}</Text>
          </Stack>
        )}
        {DAYS.map((kind) => (
          <FormField key={kind} label={t(`retention.${kind}`)} error={errors[kind]?.message}>
            <Input
              inputMode="numeric"
              maxLength={6}
              placeholder={t('retention.forever')}
              {...register(kind, { validate: checkDays })}
            />
          </FormField>
        ))}
        <FormCheckbox control={control} name="exemptPinned" label={t('retention.exemptPinned')} />
        <Flex gap="3" wrap="wrap">
          <LoadingButton
            variant="outline"
            loading={look.isPending}
            onClick={() => void handleSubmit((values) => look.mutate(values))()}
          >
            {t('retention.preview')}
          </LoadingButton>
          <LoadingButton type="submit" colorPalette="jade" disabled={isSaved} loading={save.isPending}>
            {t('retention.save')}
          </LoadingButton>
        </Flex>
        <Text role="status" textStyle="sm">
          {preview && previewText(preview)}
        </Text>
      </Stack>
      {guard.isAsking && <DiscardQuestion onStay={guard.stay} onDiscard={guard.leave} />}
    </form>
  );
}

const textOf = (days: number | null): string => days?.toString() ?? '';

const daysOf = (text: string): number | null => (text.trim() === '' ? null : Number(text));

function checkDays(text: string): true | string {
  const days = daysOf(text);
  const isValid = days === null || (Number.isInteger(days) && days >= 1 && days <= RETENTION_DAYS_MAX);
  return isValid || t('retention.daysInvalid', { max: formatNumber(RETENTION_DAYS_MAX) });
}

function rulesText(rules: RetentionRules): string {
  const times = DAYS.map((kind) => {
    const days = rules[kind];
    const time = days === null ? t('retention.forever') : t('retention.days', { count: days });
    return t(`retention.for.${kind}`, { time });
  });
  return [...times, ...(rules.exemptPinned ? [t('retention.exemptPinned')] : [])].join(' · ');
}

function previewText({ threads, messages, files, bytes, oldest }: RetentionPreview): string {
  if (threads === 0 || oldest === null) return t('retention.previewNone');
  const size = formatNumber(Math.ceil(bytes / 1_000_000));
  return t('retention.previewText', { threads, messages, files, size, oldest: formatDate(new Date(oldest)) });
}
