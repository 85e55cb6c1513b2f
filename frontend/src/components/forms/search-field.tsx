import { Box, type BoxProps, Input } from '@chakra-ui/react';
import { SEARCH_QUERY_MAX } from '@tanya/contract';
import { Search } from 'lucide-react';
import type { Ref } from 'react';

interface SearchFieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  ref?: Ref<HTMLInputElement>;
  maxW?: BoxProps['maxW'];
}

export function SearchField({ label, value, onChange, ref, maxW = { sm: '20rem' } }: SearchFieldProps) {
  return (
    <Box position="relative" width="100%" maxW={maxW}>
      <Box position="absolute" insetStart="2.5" top="50%" transform="translateY(-50%)" color="fg.muted" zIndex="1">
        <Search size={16} aria-hidden />
      </Box>
      <Input
        ref={ref}
        type="search"
        size="sm"
        ps="8"
        value={value}
        maxLength={SEARCH_QUERY_MAX}
        placeholder={label}
        aria-label={label}
        onChange={(event) => onChange(event.target.value)}
      />
    </Box>
  );
}
