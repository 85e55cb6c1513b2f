import { Button, Input, Text } from '@chakra-ui/react';
import { useQueryClient } from '@tanstack/react-query';
import type { CreateShareRequest, Share } from '@tanya/contract';
import { Copy } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { t } from '../../../app/i18n/translate';
import { api } from '../../../app/api/api-client';
import { errorText } from '../../../app/api/api-error';
import { useSingleFlightMutation } from '../../../app/queries/use-single-flight-mutation';
import { copyText } from '../../../components/buttons/copy-text';
import { notify } from '../../../components/feedback/notify';
import { FormModal } from '../../../components/dialogs/form-modal';
import { Modal } from '../../../components/dialogs/modal';
import { FormField } from '../../../components/forms/form-field';
import { QUERY_KEYS } from '../../../app/queries/query-keys';
import { Select } from '../../../components/forms/select';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Lifetimes of a link in days; 0 does not expire. */
const LIFETIMES = [
  [0, 'shareDialog.never'],
  [1, 'shareDialog.day'],
  [7, 'shareDialog.week'],
  [30, 'shareDialog.month'],
] as const;

interface ShareDialogProps {
  threadId: number;
  onClose: () => void;
}

/** Creates a share link of a thread and offers it for copying. */
export default function ShareDialog({ threadId, onClose }: ShareDialogProps) {
  const queryClient = useQueryClient();
  const [days, setDays] = useState(0);
  const select = useRef<HTMLSelectElement>(null);
  const create = useSingleFlightMutation({
    mutationFn: () => {
      const expiresAt = days === 0 ? null : new Date(Date.now() + days * DAY_MS).toISOString();
      return api.post<Share>(`/api/chat/threads/${threadId}/share`, { expiresAt } satisfies CreateShareRequest);
    },
    onSuccess: ({ url }) => {
      // Some browsers refuse it after a request; the button is there for them.
      void copyText(url).then((done) => done && notify({ title: t('apiKey.copied') }));
      return queryClient.invalidateQueries({ queryKey: QUERY_KEYS.shares });
    },
  });
  if (create.data) return <CreatedLink share={create.data} onClose={onClose} />;
  return (
    <FormModal
      isQuick
      size="sm"
      title={t('shareDialog.title')}
      description={t('shareDialog.intro')}
      action={t('shareDialog.create')}
      pending={create.isPending}
      pendingText={t('shareDialog.creating')}
      initialFocus={select}
      onSubmit={() => create.mutate()}
      onClose={onClose}
    >
      <Text>{t('shareDialog.included')}</Text>
      <Text color="fg.muted">{t('shareDialog.excluded')}</Text>
      <FormField label={t('shareDialog.expiry')}>
        <Select
          ref={select}
          value={days}
          onChange={(event) => setDays(Number(event.target.value))}
          options={LIFETIMES.map(([value, key]) => [value, t(key)])}
        />
      </FormField>
      {create.isError && (
        <Text role="alert" color="fg.error">
          {t('shareDialog.failed')}. {errorText(create.error)}
        </Text>
      )}
    </FormModal>
  );
}

function CreatedLink({ share, onClose }: { share: Share; onClose: () => void }) {
  const field = useRef<HTMLInputElement>(null);
  // The button that had the focus is gone.
  useEffect(() => field.current?.select(), []);
  const copy = async () => {
    if (await copyText(share.url)) notify({ title: t('apiKey.copied') });
    else notify({ title: t('common.copyRefused'), kind: 'error' });
  };
  return (
    <Modal
      title={t('shareDialog.title')}
      description={t('shareDialog.created')}
      initialFocus={field}
      onClose={onClose}
      footer={
        <>
          <Button variant="outline" onClick={onClose}>
            {t('common.done')}
          </Button>
          <Button colorPalette="jade" onClick={() => void copy()}>
            <Copy aria-hidden /> {t('shareDialog.copy')}
          </Button>
        </>
      }
    >
      <FormField label={t('shareDialog.link')}>
        <Input ref={field} readOnly value={share.url} onFocus={(event) => event.target.select()} />
      </FormField>
    </Modal>
  );
}
