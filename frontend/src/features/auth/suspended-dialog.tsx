import { Button } from '@chakra-ui/react';
import { useRef } from 'react';
import { t } from '../../app/i18n/translate';
import { ContactText } from '../../components/buttons/admin-contact';
import { Modal } from '../../components/dialogs/modal';

/** Reports that the account of the page was suspended. Behind it the page shows a guest. */
export default function SuspendedDialog({ onClose }: { onClose: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  return (
    <Modal
      role="alertdialog"
      title={t('suspended.title')}
      description={<ContactText text={t('suspended.text')} />}
      initialFocus={button}
      onClose={onClose}
      footer={
        <Button ref={button} colorPalette="jade" onClick={onClose}>
          {t('suspended.close')}
        </Button>
      }
    />
  );
}
