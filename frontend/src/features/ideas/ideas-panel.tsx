import { Box, Button, Flex, Grid, Skeleton, VisuallyHidden } from '@chakra-ui/react';
import { ChevronDown, Lightbulb, RefreshCw } from 'lucide-react';
import { type FocusEvent, type KeyboardEvent, useId, useState } from 'react';
import { t } from '../../app/i18n/translate';
import { CARD_HEIGHT, IdeaCard } from './idea-card';
import { useIdeas, useIdeaText } from './use-ideas';

interface IdeasPanelProps {
  /** Whether the page has a composer. */
  canUse: boolean;
}

export function IdeasPanel({ canUse }: IdeasPanelProps) {
  const [isOpen, setOpen] = useState(true);
  const listId = useId();
  const hintId = useId();
  /** The card that Tab reaches. */
  const [reached, setReached] = useState(0);
  const { ideas, replacing, more, moreOfAll } = useIdeas(isOpen);
  const textOf = useIdeaText();
  return (
    <Box width="100%" maxW="48rem" mx="auto" px={{ base: '3', sm: '4' }}>
      <Flex justify="space-between" mb="1">
        <Button
          variant="ghost"
          size="xs"
          color="fg.muted"
          // Open is the default and needs no highlight.
          _expanded={{ bg: 'transparent' }}
          aria-expanded={isOpen}
          aria-controls={listId}
          onClick={() => setOpen(!isOpen)}
        >
          <Lightbulb size={14} aria-hidden />
          {t('chat.conversationIdeas')}
          <Box asChild transform={isOpen ? 'rotate(180deg)' : undefined} transition="transform 120ms ease-out">
            <ChevronDown size={14} aria-hidden />
          </Box>
        </Button>
        {isOpen && (
          <Button
            variant="ghost"
            size="xs"
            color="fg.muted"
            // Not `disabled`, which would move the focus to the page.
            aria-disabled={replacing.length > 0}
            aria-label={t('ideas.others')}
            onClick={moreOfAll}
          >
            <RefreshCw size={12} aria-hidden />
            {t('chat.more')}
          </Button>
        )}
      </Flex>
      {isOpen && (
        <>
          <VisuallyHidden id={hintId}>{t('ideas.keys')}</VisuallyHidden>
          <Grid
            id={listId}
            as="ul"
            aria-describedby={hintId}
            onKeyDown={moveFocus}
            onFocus={({ currentTarget, target }: FocusEvent<HTMLElement>) => {
              const at = [...currentTarget.children].findIndex((card) => card.contains(target));
              if (at >= 0) setReached(at);
            }}
            listStyleType="none"
            gap="2"
            pb="2"
            overflowX="auto"
            // The row runs to the edges of a phone.
            mx={{ base: '-3', sm: '0' }}
            px={{ base: '3', sm: '0' }}
            css={{
              scrollSnapType: 'x mandatory',
              scrollPaddingInline: { base: '0.75rem', sm: '0' },
              '& > *': { scrollSnapAlign: 'start' },
            }}
            // A horizontal row on phones, where a column would push the composer off the screen.
            gridAutoFlow={{ base: 'column', sm: 'row' }}
            gridAutoColumns={{ base: '78%', sm: 'auto' }}
            templateColumns={{ sm: '1fr 1fr' }}
          >
            {ideas.length === 0 || !textOf
              ? [0, 1, 2, 3].map((index) => <Skeleton as="li" key={index} height={CARD_HEIGHT} borderRadius="l3" />)
              : ideas.map((idea, index) => (
                  <IdeaCard
                    key={index}
                    idea={textOf(idea)}
                    tabIndex={index === Math.min(reached, ideas.length - 1) ? 0 : -1}
                    canUse={canUse}
                    isReplacing={replacing.includes(index)}
                    onMore={() => more(index)}
                  />
                ))}
          </Grid>
        </>
      )}
    </Box>
  );
}

const STEPS: Record<string, number> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/** The arrow keys move the focus over the buttons of all cards. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = STEPS[event.key];
  if (step === undefined) return;
  const buttons = [...event.currentTarget.querySelectorAll('button')];
  const at = buttons.findIndex((button) => button === document.activeElement);
  const next = buttons[at + step];
  if (at < 0 || !next) return;
  event.preventDefault();
  next.focus();
}
