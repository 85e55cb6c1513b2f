import { Box, Button, Flex, Grid, Skeleton, Text } from '@chakra-ui/react';
import { TEXTS } from '@tanya/contract';
import { ChevronDown, Lightbulb, RefreshCw } from 'lucide-react';
import { useId, useState } from 'react';
import { runCommand } from '../../app/state/commands';
import { insertIdea } from '../../app/state/composer-store';
import { useIdeas } from './use-ideas';

interface IdeasPanelProps {
  /** Open initially, as on the home page. */
  expanded: boolean;
  /** Whether the page has a composer. */
  canUse: boolean;
}

/** Ideas for a conversation: Use inserts one into the composer, More replaces it. */
export function IdeasPanel({ expanded, canUse }: IdeasPanelProps) {
  const [isOpen, setOpen] = useState(expanded);
  const listId = useId();
  const { ideas, replacing, more } = useIdeas(isOpen);
  return (
    <Box maxW="48rem" mx="auto" px={expanded ? { base: '3', sm: '4' } : '0'}>
      <Button
        variant="ghost"
        size="xs"
        color="fg.muted"
        mb="1"
        // Open is the default on the home page and needs no highlight.
        _expanded={{ bg: 'transparent' }}
        aria-expanded={isOpen}
        aria-controls={listId}
        onClick={() => setOpen(!isOpen)}
      >
        <Lightbulb size={14} aria-hidden />
        {TEXTS.chat.conversationIdeas}
        <Box asChild transform={isOpen ? 'rotate(180deg)' : undefined} transition="transform 120ms ease-out">
          <ChevronDown size={14} aria-hidden />
        </Box>
      </Button>
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
          {ideas.length === 0
            ? [0, 1, 2, 3].map((index) => <Skeleton as="li" key={index} height="5.5rem" borderRadius="l3" />)
            : ideas.map((idea, index) => (
                <IdeaCard
                  key={index}
                  idea={idea}
                  canUse={canUse}
                  isReplacing={replacing === index}
                  onMore={() => more(index)}
                />
              ))}
        </Grid>
      )}
    </Box>
  );
}

interface IdeaCardProps {
  idea: string;
  canUse: boolean;
  isReplacing: boolean;
  onMore: () => void;
}

function IdeaCard({ idea, canUse, isReplacing, onMore }: IdeaCardProps) {
  return (
    <Flex
      as="li"
      direction="column"
      gap="1.5"
      borderWidth="1px"
      borderRadius="l3"
      px="3.5"
      pt="3"
      pb="1.5"
      bg="bg.panel"
    >
      <Text flex="1" opacity={isReplacing ? 0.5 : 1} lineClamp="3">
        {idea}
      </Text>
      <Flex justify="flex-end" gap="1">
        <Button
          variant="ghost"
          size="xs"
          color="fg.muted"
          // Not `disabled`, which would move the focus to the page.
          aria-disabled={isReplacing}
          aria-label={`${TEXTS.chat.more}: another idea instead of “${idea}”`}
          onClick={onMore}
        >
          <RefreshCw size={12} aria-hidden />
          {TEXTS.chat.more}
        </Button>
        <Button
          variant="ghost"
          size="xs"
          color="fg.accent"
          aria-label={`${TEXTS.chat.use}: ${idea}`}
          disabled={!canUse}
          onClick={() => {
            insertIdea(idea);
            runCommand('focus-composer');
          }}
        >
          {TEXTS.chat.use}
        </Button>
      </Flex>
    </Flex>
  );
}
