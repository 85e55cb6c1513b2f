import { Flex, NativeSelect, Text } from '@chakra-ui/react';
import { LoadingButton } from '../buttons/loading-button';

export const PAGE_SIZES = [25, 50, 100, 200] as const;

interface PagerProps {
  /** Index of the first row shown. */
  from: number;
  shown: number;
  /** undefined when the server does not count. */
  total?: number;
  hasNext: boolean;
  onPrevious: () => void;
  onNext: () => void;
  pageSize: number;
  onPageSize: (size: number) => void;
}

export function Pager({ from, shown, total, hasNext, onPrevious, onNext, pageSize, onPageSize }: PagerProps) {
  return (
    <Flex mt="3" gap="3" align="center" justify="space-between" wrap="wrap">
      <Flex align="center" gap="2" color="fg.muted">
        Rows
        <NativeSelect.Root size="xs" width="5rem">
          <NativeSelect.Field
            aria-label="Rows per page"
            value={pageSize}
            onChange={(event) => onPageSize(Number(event.target.value))}
          >
            {PAGE_SIZES.map((size) => (
              <option key={size} value={size}>
                {size}
              </option>
            ))}
          </NativeSelect.Field>
          <NativeSelect.Indicator />
        </NativeSelect.Root>
      </Flex>
      <Flex align="center" gap="2">
        <Text color="fg.muted" fontVariantNumeric="tabular-nums">
          {shown > 0 ? `${from + 1}–${from + shown}` : '0'}
          {total !== undefined && ` of ${total.toLocaleString()}`}
        </Text>
        <LoadingButton size="xs" variant="outline" disabled={from === 0} onClick={onPrevious}>
          Previous
        </LoadingButton>
        <LoadingButton size="xs" variant="outline" disabled={!hasNext} onClick={onNext}>
          Next
        </LoadingButton>
      </Flex>
    </Flex>
  );
}
