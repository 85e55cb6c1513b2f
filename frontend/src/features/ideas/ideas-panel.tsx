import { Box, Button, Flex, Grid, Skeleton } from '@chakra-ui/react';
import { ChevronDown, Lightbulb, RefreshCw } from 'lucide-react';
import { useId, useState } from 'react';
import { t } from '../../app/i18n/translate';
import { IdeaCard } from './idea-card';
import { useIdeas, useIdeaText } from './use-ideas';

interface IdeasPanelProps {
  /** Whether the page has a composer. */
  canUse: boolean;
}

export function IdeasPanel({ canUse }: IdeasPanelProps) {
  const [isOpen, setOpen] = useState(true);
  const listId = useId();
  const { ideas, replacing, more, moreOfAll } = useIdeas(isOpen);
  const textOf = useIdeaText();
  return (
    <Box maxW="48rem" mx="auto" px={{ base: '3', sm: '4' }}>
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
        <Grid
          id={listId}
          as="ul"
          listStyleType="none"
          gap="2"
          pb="2"
          overflowX="auto"
          css={{ scrollSnapType: 'x mandatory', '& > *': { scrollSnapAlign: 'start' } }}
          // A horizontal row on phones, where a column would push the composer off the screen.
          gridAutoFlow={{ base: 'column', sm: 'row' }}
          gridAutoColumns={{ base: '78%', sm: 'auto' }}
          templateColumns={{ sm: '1fr 1fr' }}
        >
          {ideas.length === 0 || !textOf
            ? [0, 1, 2, 3].map((index) => <Skeleton as="li" key={index} height="4.25rem" borderRadius="l3" />)
            : ideas.map((idea, index) => (
                <IdeaCard
                  key={index}
                  idea={textOf(idea)}
                  canUse={canUse}
                  isReplacing={replacing.includes(index)}
                  onMore={() => more(index)}
                />
              ))}
        </Grid>
      )}
    </Box>
  );
}
