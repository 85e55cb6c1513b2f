import { Skeleton, type SkeletonProps, Stack, type StackProps } from '@chakra-ui/react';
import { useDelayed } from '../hooks/use-delayed';

interface LoadingRowsProps extends Pick<StackProps, 'gap' | 'minH'> {
  label: string;
  count: number;
  row: Pick<SkeletonProps, 'height' | 'borderRadius'>;
}

/** Stands for the rows of a list that loads. Short waits show nothing but take the height. */
export function LoadingRows({ label, count, row, ...stack }: LoadingRowsProps) {
  const isDue = useDelayed();
  return (
    <Stack role="status" aria-label={label} {...stack}>
      {isDue && Array.from({ length: count }, (_, index) => <Skeleton key={index} {...row} />)}
    </Stack>
  );
}
