import { Button, Field, Textarea } from '@chakra-ui/react';
import { LIMITS, type MessageFeedback } from '@tanya/contract';
import { type FormEvent, useRef, useState } from 'react';
import { t } from '../../../../app/i18n/translate';
import { Modal } from '../../../../components/dialogs/modal';

interface FeedbackDialogProps {
  feedback: MessageFeedback;
  onSave: (reason: string) => void;
  onRemove: () => void;
  onClose: () => void;
}

export default function FeedbackDialog({ feedback, onSave, onRemove, onClose }: FeedbackDialogProps) {
  const [reason, setReason] = useState(feedback.reason ?? '');
  const field = useRef<HTMLTextAreaElement>(null);
  const save = (event: FormEvent) => {
    event.preventDefault();
    onSave(reason.trim());
    onClose();
  };
  const remove = () => {
    onRemove();
    onClose();
  };
  return (
    <Modal
      title={feedback.rating === 'up' ? t('feedback.upTitle') : t('feedback.downTitle')}
      description={t('feedback.hint')}
      initialFocus={field}
      onClose={onClose}
      footer={
        <>
          <Button variant="outline" onClick={remove}>
            {t('feedback.remove')}
          </Button>
          <Button type="submit" form="feedback" colorPalette="jade">
            {t('feedback.save')}
          </Button>
        </>
      }
    >
      <form id="feedback" onSubmit={save}>
        <Field.Root>
          <Field.Label>{t('feedback.reason')}</Field.Label>
          <Textarea
            ref={field}
            rows={4}
            maxLength={LIMITS.feedbackReason.max}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
        </Field.Root>
      </form>
    </Modal>
  );
}
