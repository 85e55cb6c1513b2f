import type { Message } from '@tanya/contract';
import { MessageSquareText, ThumbsDown, ThumbsUp } from 'lucide-react';
import { useState } from 'react';
import { t } from '../../../../app/i18n/translate';
import { lazyDialog } from '../../../../components/lazy/lazy-dialog';
import { useFeedback } from './answer-feedback';
import { ActionButton } from '../../../../components/buttons/action-button';

const FeedbackDialog = lazyDialog(() => import('./feedback-dialog'));

export function FeedbackButtons({ message }: { message: Message }) {
  const { feedback, toggle, setReason, remove } = useFeedback(message);
  const [isOpen, setOpen] = useState(false);
  const thumb = (rating: 'up' | 'down') => ({
    label: rating === 'up' ? t('feedback.up') : t('feedback.down'),
    'aria-pressed': feedback?.rating === rating,
    onClick: () => toggle(rating),
  });
  const fillOf = (rating: 'up' | 'down') => (feedback?.rating === rating ? 'currentColor' : 'none');
  return (
    <>
      <ActionButton {...thumb('up')}>
        <ThumbsUp size={14} fill={fillOf('up')} />
      </ActionButton>
      <ActionButton {...thumb('down')}>
        <ThumbsDown size={14} fill={fillOf('down')} />
      </ActionButton>
      {feedback && (
        <ActionButton
          label={feedback.reason === null ? t('feedback.addReason') : t('feedback.editReason')}
          aria-haspopup="dialog"
          onClick={() => setOpen(true)}
        >
          <MessageSquareText size={14} />
        </ActionButton>
      )}
      {isOpen && feedback && (
        <FeedbackDialog feedback={feedback} onSave={setReason} onRemove={remove} onClose={() => setOpen(false)} />
      )}
    </>
  );
}
