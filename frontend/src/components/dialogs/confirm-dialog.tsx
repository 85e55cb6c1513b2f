import { Button } from '@chakra-ui/react';
import { t } from '../../app/i18n/translate';
import { Modal } from './modal';
import { LoadingButton } from '../buttons/loading-button';

interface ConfirmDialogProps {
  title: string;
  question: string;
  /** What the button says; Delete by default. */
  action?: string;
  pending: boolean;
  pendingText?: string;
  /** Colour of the action; red for destructive ones. */
  colorPalette?: 'red' | 'jade';
  onConfirm: () => void;
  onClose: () => void;
  /** The element that gets the focus on close; by default, and for null, the opener. */
  finalFocus?: () => HTMLElement | null;
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, question, pending, colorPalette = 'red', onConfirm, onClose, finalFocus } = props;
  const { action = t('common.delete'), pendingText = props.action ?? t('threads.deleting') } = props;
  return (
    <Modal
      role="alertdialog"
      title={title}
      description={question}
      onClose={onClose}
      finalFocus={finalFocus}
      footer={
        <>
          <Button variant="outline" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <LoadingButton colorPalette={colorPalette} disabled={pending} onClick={onConfirm}>
            {pending ? pendingText : action}
          </LoadingButton>
        </>
      }
    />
  );
}
