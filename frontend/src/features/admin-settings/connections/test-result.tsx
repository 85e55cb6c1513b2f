import { Box, Flex } from '@chakra-ui/react';
import { CircleAlert, CircleCheck } from 'lucide-react';
import { formatDecimal } from '../../../app/i18n/formats';
import { t } from '../../../app/i18n/translate';
import { errorText } from '../../../app/api/api-error';

/** The result of a test of a connection or of a search service. */
interface Result {
  ok: boolean;
  message: string;
  ms: number;
}

interface TestResultProps {
  test: { data?: Result; error: unknown; isPending: boolean };
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

function sentenceOf({ ok, message, ms }: Result): string {
  return ok ? `${message} ${t('connections.answeredIn', { seconds: formatDecimal(ms / 1000) })}` : message;
}
