import { Box } from '@chakra-ui/react';

export function Logo({ size = '7' }: { size?: string }) {
  return (
    <Box asChild boxSize={size} flexShrink={0} color="fg.accent">
      <svg aria-hidden="true">
        <use href="#mark" />
      </svg>
    </Box>
  );
}
