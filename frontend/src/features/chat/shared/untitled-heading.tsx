import { VisuallyHidden } from '@chakra-ui/react';
import { t } from '../../../app/i18n/translate';

/** The heading while the thread has no title. */
export function UntitledHeading() {
  return (
    <VisuallyHidden asChild>
      <h1>{t('conversation.label')}</h1>
    </VisuallyHidden>
  );
}
