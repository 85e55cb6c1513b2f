import { Box, Flex } from '@chakra-ui/react';
import { CircleAlert, CircleCheck } from 'lucide-react';
import { formatDecimal } from '../../../app/i18n/formats';
import { t } from '../../../app/i18n/translate';
import { errorText } from '../../../app/api/api-error';
import { outcomeSentence, type TestOutcome } from './fault-sentence';

interface TestResultProps {
  test: { data?: TestOutcome; error: unknown; isPending: boolean };
}

/** The result in words. The element exists before, so that screen readers announce the result. */
export function TestResult({ test: { data, error, isPending } }: TestResultProps) {
  const text = isPending ? null : error ? errorText(error) : data && sentenceOf(data);
  const isOk = !error && data?.ok === true;
  const Icon = isOk ? CircleCheck : CircleAlert;
  return (
    <Box role="status" minW="0">
      {text && (
        <Flex gap="2" align="start" color={isOk ? 'fg.success' : 'fg.error'}>
          <Box asChild flexShrink={0} mt="0.5">
            <Icon size={16} aria-hidden />
          </Box>
          <Box minW="0" overflowWrap="anywhere">
            {text}
          </Box>
        </Flex>
      )}
    </Box>
  );
}

function sentenceOf(outcome: TestOutcome): string {
  const text = outcomeSentence(outcome);
  return outcome.ok ? `${text} ${t('connections.answeredIn', { seconds: formatDecimal(outcome.ms / 1000) })}` : text;
}
