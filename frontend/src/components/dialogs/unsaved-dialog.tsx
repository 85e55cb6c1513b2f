import { Button } from '@chakra-ui/react';
import { useRef } from 'react';
import { t } from '../../app/i18n/translate';
import { LoadingButton } from '../buttons/loading-button';
import { Modal } from './modal';

interface UnsavedDialogProps {
  isSaving: boolean;
  /** The element that gets the focus when the user stays; null for the opener. */
  finalFocus?: () => HTMLElement | null;
  onStay: () => void;
  onDiscard: () => void;
  onSave: () => void;
}

export function UnsavedDialog({ isSaving, finalFocus, onStay, onDiscard, onSave }: UnsavedDialogProps) {
  const stay = useRef<HTMLButtonElement>(null);
  return (
    <Modal
      role="alertdialog"
      title={t('unsaved.title')}
      description={t('unsaved.question')}
      initialFocus={stay}
      finalFocus={finalFocus}
      onClose={onStay}
      footer={
        <>
          <Button ref={stay} variant="outline" onClick={onStay}>
            {t('unsaved.stay')}
          </Button>
          <LoadingButton variant="outline" color="fg.error" disabled={isSaving} onClick={onDiscard}>
            {t('unsaved.discard')}
          </LoadingButton>
          <LoadingButton colorPalette="jade" loading={isSaving} onClick={onSave}>
            {t('unsaved.save')}
          </LoadingButton>
        </>
      }
    />
  );
}
