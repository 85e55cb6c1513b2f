import { Box, chakra } from '@chakra-ui/react';
import { ChevronRight } from 'lucide-react';
import { t } from '../../../app/i18n/translate';
import { Markdown } from '../../markdown/markdown';
import { MarkdownFrame } from '../../markdown/markdown-frame';

interface ReasoningProps {
  text: string;
  isThinking: boolean;
  /** Prefix of the ids in the text, unique per message. */
  scope: string;
}

const SMALL_HEADINGS = { '& :is(h1, h2, h3, h4, h5, h6)': { fontSize: 'sm' } };

/** The reasoning of the model, collapsed above its answer. */
export function Reasoning({ text, isThinking, scope }: ReasoningProps) {
  if (!text) return null;
  return (
    <chakra.details
      mb="2"
      color="fg.muted"
      textStyle="sm"
      css={{ '&[open] > summary svg': { transform: 'rotate(90deg)' } }}
    >
      <chakra.summary
        display="inline-flex"
        alignItems="center"
        gap="1"
        cursor="pointer"
        listStyle="none"
        borderRadius="l1"
        minH={{ base: '10', md: '6' }}
        css={{ '&::-webkit-details-marker': { display: 'none' } }}
      >
        <ChevronRight size={14} aria-hidden />
        {isThinking ? t('message.reasoningNow') : t('message.reasoning')}
      </chakra.summary>
      <Box mt="1" ps="3" borderStartWidth="2px" maxH="20rem" overflowY="auto">
        <MarkdownFrame dir="auto" textStyle="sm" css={SMALL_HEADINGS}>
          <Markdown text={text} streaming={isThinking} scope={scope} />
        </MarkdownFrame>
      </Box>
    </chakra.details>
  );
}
