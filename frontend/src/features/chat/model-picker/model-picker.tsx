import { Badge, Button, Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { t } from '../../../app/i18n/translate';
import { settingsQuery } from '../../../app/queries/settings.query';
import { lazyDialog } from '../../../components/lazy/lazy-dialog';
import type { ModelChoice } from './use-model-choice';

const ModelMenu = lazyDialog(() => import('./model-menu'));

/** The same word in all languages. It stands beside the model that the demo answers for. */
const DEMO = 'Demo';

export function ModelPicker({ choice }: { choice: ModelChoice }) {
  /** The button while its menu is open, else null. */
  const [anchor, setAnchor] = useState<HTMLButtonElement | null>(null);
  const { data: settings } = useQuery(settingsQuery);
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
        {settings?.demo && <Badge size="xs">{DEMO}</Badge>}
        <ChevronDown size={16} aria-hidden />
      </Button>
      {anchor && <ModelMenu choice={choice} anchor={anchor} onClose={() => setAnchor(null)} />}
    </>
  );
}
