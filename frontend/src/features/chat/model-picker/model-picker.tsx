import { Button, Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { t } from '../../../app/i18n/translate';
import { settingsQuery } from '../../../app/queries/settings.query';
import { lazyDialog } from '../../../components/lazy/lazy-dialog';
import type { ModelChoice } from './use-model-choice';

const ModelMenu = lazyDialog(() => import('./model-menu'));

export function ModelPicker({ choice }: { choice: ModelChoice }) {
  /** The button while its menu is open, else null. */
  const [anchor, setAnchor] = useState<HTMLButtonElement | null>(null);
  const { data: settings } = useQuery(settingsQuery);
  const { name } = choice.model;
  return (
    <>
      <Button
        variant="ghost"
        size="sm"
        maxW="100%"
        aria-label={t('model.current', { name: settings?.demo ? `${name} ${t('model.demo')}` : name })}
        aria-haspopup="dialog"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(anchor ? null : event.currentTarget)}
      >
        <Text as="span" truncate fontWeight="medium">
          {name}
        </Text>{' '}
        {/* Whichever model is chosen, the demo answers. */}
        {settings?.demo && (
          <Text as="span" flexShrink={0} color="fg.muted">
            {t('model.demo')}
          </Text>
        )}
        <ChevronDown size={16} aria-hidden />
      </Button>
      {anchor && <ModelMenu choice={choice} anchor={anchor} onClose={() => setAnchor(null)} />}
    </>
  );
}
