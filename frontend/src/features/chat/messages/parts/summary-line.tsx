import { Box, Button, Flex, Text } from '@chakra-ui/react';
import type { ThreadSummary } from '@tanya/contract';
import { ChevronRight } from 'lucide-react';
import { useId, useState } from 'react';
import { formatNumber } from '../../../../app/i18n/formats';
import { formatUsd } from '../../../../app/i18n/report-formats';
import { undoSummary } from '../../../../app/queries/summary.query';
import { t } from '../../../../app/i18n/translate';
import { showFailure } from '../../../../components/feedback/fail';

/** Where the part of a conversation ends that models read as a summary. It opens the text. */
export function SummaryLine({ threadId, summary }: { threadId: number; summary: ThreadSummary }) {
  const [isOpen, setOpen] = useState(false);
  const [isUndoing, setUndoing] = useState(false);
  const text = useId();
  const undo = async () => {
    setUndoing(true);
    try {
      await undoSummary(threadId);
    } catch (error) {
      showFailure('summary.undoFailed', error);
    }
    setUndoing(false);
  };
  return (
    <Box role="note" width="100%" maxW="48rem" mx="auto" px={{ base: '3', sm: '4' }} py="2" color="fg.muted">
      <Flex align="center" gap="2" wrap="wrap" borderTopWidth="1px" pt="2">
        <Button
          variant="ghost"
          size="xs"
          color="fg.muted"
          aria-expanded={isOpen}
          aria-controls={text}
          onClick={() => setOpen(!isOpen)}
        >
          <ChevronRight size={14} aria-hidden style={{ transform: isOpen ? 'rotate(90deg)' : undefined }} />
          {t('summary.line')}
        </Button>
        <Button size="xs" variant="outline" disabled={isUndoing} onClick={() => void undo()}>
          {t('summary.undo')}
        </Button>
      </Flex>
      <Box id={text} hidden={!isOpen} mt="2" ps="3" borderStartWidth="2px" textStyle="sm">
        <Text
          dir="auto"
          unicodeBidi="plaintext"
          whiteSpace="pre-wrap"
          overflowWrap="anywhere"
          maxH="24rem"
          overflowY="auto"
        >
          {summary.text}
        </Text>
        <Text mt="2" textStyle="xs">
          {sizesText(summary)}
        </Text>
      </Box>
    </Box>
  );
}

function sizesText({ tokensBefore, tokensAfter, costUsd }: ThreadSummary): string {
  const sizes = { before: formatNumber(tokensBefore), after: formatNumber(tokensAfter) };
  return costUsd === null
    ? t('summary.sizes', sizes)
    : t('summary.sizesAndCost', { ...sizes, cost: formatUsd(costUsd) });
}
