import { Box } from '@chakra-ui/react';

/** The mark: an open leaf that is also a speech bubble. */
export function Logo({ size = '7' }: { size?: string }) {
  return (
    <Box asChild boxSize={size} flexShrink={0} color="fg.accent">
      <svg viewBox="0 0 32 32" fill="none" aria-hidden="true">
        <path
          d="M27 4c1.4 9.6-.9 16.4-6.6 19.7-3.7 2.1-8 1.9-11.2-.4L5 28l1.6-6.6C4 17.2 4.6 12 8.4 8.5 12.7 4.6 19 3.1 27 4Z"
          fill="currentColor"
        />
        <path
          d="M8.5 22.5C11.5 16.5 15.8 12.5 21 10"
          stroke="var(--tanya-colors-bg-panel)"
          strokeWidth="2"
          strokeLinecap="round"
        />
      </svg>
    </Box>
  );
}
