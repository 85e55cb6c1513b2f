import { Button, Text } from '@chakra-ui/react';
import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { t } from '../../../app/i18n/translate';
import { lazyDialog } from '../../../components/lazy/lazy-dialog';
import type { ModelChoice } from './use-model-choice';

const ModelMenu = lazyDialog(() => import('./model-menu'));

export function ModelPicker({ choice }: { choice: ModelChoice }) {
  /** The button while its menu is open, else null. */
  const [anchor, setAnchor] = useState<HTMLButtonElement | null>(null);
  return (
    <>
      <Button
        variant="ghost"
        size="sm"
        maxW="100%"
        aria-label={t('model.current', { name: choice.model.name })}
        aria-haspopup="dialog"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(anchor ? null : event.currentTarget)}
      >
        <Text as="span" truncate fontWeight="medium">
          {choice.model.name}
        </Text>
        <ChevronDown size={16} aria-hidden />
      </Button>
      {anchor && <ModelMenu choice={choice} anchor={anchor} onClose={() => setAnchor(null)} />}
    </>
  );
}
