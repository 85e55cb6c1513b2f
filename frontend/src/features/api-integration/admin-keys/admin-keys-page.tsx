import { Button, Flex } from '@chakra-ui/react';
import type { AdminApiKey } from '@tanya/contract';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { t } from '../../../app/i18n/translate';
import { TextButton } from '../../../components/buttons/text-button';
import { ConfirmDialog } from '../../../components/dialogs/confirm-dialog';
import { SearchField } from '../../../components/forms/search-field';
import { paramsOf, useAddressFilter } from '../../../components/tables/use-address-filter';
import { HistoryPage } from '../../../components/tables/history-page';
import { AdminKeyEntry } from './admin-key-entry';
import { useEndKey, useLimitKey } from './admin-keys.query';
import { ServiceKeyDialog } from './service-key-dialog';
import { useForm } from 'react-hook-form';
import { FormModal } from '../../../components/dialogs/form-modal';
import { showServerErrors } from '../../../components/forms/server-errors';
import { ExpiryField, LimitFields } from '../keys/key-fields';
import { type KeyValues, lastAdminDay, toLimitRequest, toKeyValues } from '../keys/key-values';
import { RateFields } from './rate-fields';

const FIELDS = ['query', 'userId'] as const;

type Open = { kind: 'new' } | { kind: 'limits' | 'end'; apiKey: AdminApiKey };

/** The keys of all people and services. A link narrows it to those of one account. */
export default function AdminKeysPage() {
  const [filter, change] = useAddressFilter(FIELDS);
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  return (
    <>
      <HistoryPage<AdminApiKey>
        name="keys"
        texts={{
          title: t('sidebar.apiKeys'),
          sentence: t('adminKeys.sentence'),
          list: t('adminKeys.list'),
          loadError: t('keys.loadError'),
          none: t('adminKeys.none'),
          noMatch: t('adminKeys.noMatch'),
          older: t('adminKeys.older'),
          olderError: t('adminKeys.olderError'),
        }}
        action={
          <Button colorPalette="jade" onClick={() => setOpen({ kind: 'new' })}>
            <Plus aria-hidden /> {t('adminKeys.newOfService')}
          </Button>
        }
        filter={filter}
        filterFields={
          <Flex mb="4" columnGap="3" rowGap="2" wrap="wrap" align="center">
            <SearchField label={t('adminKeys.search')} value={filter.query} onChange={(query) => change({ query })} />
            {paramsOf(filter) !== '' && (
              <TextButton onClick={() => change({ query: '', userId: '' })}>{t('adminKeys.showAll')}</TextButton>
            )}
          </Flex>
        }
      >
        {(apiKey) => (
          <AdminKeyEntry
            key={apiKey.id}
            apiKey={apiKey}
            onOwner={() => change({ query: '', userId: String(apiKey.userId) })}
            onLimit={() => setOpen({ kind: 'limits', apiKey })}
            onEnd={() => setOpen({ kind: 'end', apiKey })}
          />
        )}
      </HistoryPage>
      {open?.kind === 'new' && <ServiceKeyDialog userId={filter.userId} onClose={close} />}
      {open?.kind === 'limits' && <LimitsDialog apiKey={open.apiKey} onClose={close} />}
      {open?.kind === 'end' && <EndDialog apiKey={open.apiKey} onClose={close} />}
    </>
  );
}

function EndDialog({ apiKey, onClose }: { apiKey: AdminApiKey; onClose: () => void }) {
  const end = useEndKey(apiKey.id, onClose);
  return (
    <ConfirmDialog
      title={t('keys.deleteTitle')}
      question={t('keys.deleteQuestion', { name: apiKey.name })}
      pending={end.isPending}
      onConfirm={() => end.mutate()}
      onClose={onClose}
    />
  );
}

const LIMITED = ['expiresAt', 'messageCap', 'budgetUsd', 'models', 'requestsPerMinute', 'tokensPerMinute'] as const;

/** Limits a key. What is changed here binds its owner. */
function LimitsDialog({ apiKey, onClose }: { apiKey: AdminApiKey; onClose: () => void }) {
  const stored = toKeyValues(apiKey);
  const form = useForm<KeyValues>({ defaultValues: stored });
  const limit = useLimitKey(apiKey.id, onClose);
  const save = (values: KeyValues) => {
    const changes = toLimitRequest(values, stored);
    if (Object.keys(changes).length === 0) return onClose();
    limit.mutate(changes, { onError: (error) => showServerErrors(error, LIMITED, form.setError) });
  };
  return (
    <FormModal
      title={t('adminKeys.limitsTitle')}
      description={t('adminKeys.limitsHint', { name: apiKey.name, person: apiKey.username })}
      action={t('models.saveChanges')}
      pending={limit.isPending}
      pendingText={t('models.saving')}
      onSubmit={form.handleSubmit(save)}
      onClose={onClose}
    >
      {apiKey.scope === 'admin' ? (
        <ExpiryField form={form} latest={lastAdminDay()} hint={t('keys.adminExpiryHint')} />
      ) : (
        <>
          <ExpiryField form={form} hint={t('keys.expiryHint')} />
          <LimitFields form={form} />
          <RateFields form={form} />
        </>
      )}
    </FormModal>
  );
}
