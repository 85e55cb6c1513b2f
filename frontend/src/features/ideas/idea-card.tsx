import { Box, chakra, IconButton, VisuallyHidden } from '@chakra-ui/react';
import { RefreshCw } from 'lucide-react';
import { t } from '../../app/i18n/translate';
import { runCommand } from '../../app/state/commands';
import { insertIdea } from '../../app/state/composer-store';

/** On phones that of three lines, so that an idea moves nothing when it arrives. */
export const CARD_HEIGHT = { base: '5.5rem', sm: '4.25rem' };

interface IdeaCardProps {
  idea: string;
  /** 0 for the card that Tab reaches. The arrow keys reach the other ones, and the button of each. */
  tabIndex: 0 | -1;
  canUse: boolean;
  isReplacing: boolean;
  onMore: () => void;
}

/** One idea. The card itself is the Use button, which inserts the idea into the composer; More replaces the idea. */
export function IdeaCard({ idea, tabIndex, canUse, isReplacing, onMore }: IdeaCardProps) {
  const use = () => {
    insertIdea(idea);
    runCommand('focus-composer');
  };
  return (
    <Box as="li" position="relative" display="flex" minW="0">
      <chakra.button
        type="button"
        tabIndex={tabIndex}
        flex="1"
        minW="0"
        minH={CARD_HEIGHT}
        display="flex"
        alignItems="flex-start"
        textAlign="start"
        borderWidth="1px"
        borderRadius="l3"
        ps="3.5"
        pe="11"
        py="3"
        bg="bg.panel"
        cursor="pointer"
        focusVisibleRing="inside"
        transition="border-color 120ms ease-out"
        _hover={{ borderColor: 'border.emphasized' }}
        _disabled={{ cursor: 'default', color: 'fg.muted', borderColor: 'border' }}
        disabled={!canUse}
        onClick={use}
      >
        <Box as="span" dir="auto" lineClamp="3" opacity={isReplacing ? 0.5 : 1}>
          <VisuallyHidden>{`${t('chat.use')}: `}</VisuallyHidden>
          {idea}
        </Box>
      </chakra.button>
      <IconButton
        tabIndex={-1}
        position="absolute"
        top="1.5"
        insetEnd="1.5"
        variant="ghost"
        size="xs"
        color="fg.muted"
        // Not `disabled`, which would move the focus to the page.
        aria-disabled={isReplacing}
        aria-label={t('ideas.another', { idea })}
        title={t('chat.more')}
        onClick={onMore}
      >
        <RefreshCw size={14} aria-hidden />
      </IconButton>
    </Box>
  );
}
