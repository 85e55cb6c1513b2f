import { Button, type ButtonProps } from '@chakra-ui/react';

export function TextButton(props: ButtonProps) {
  return (
    <Button
      variant="plain"
      size="sm"
      height="auto"
      minW="0"
      p="0"
      color="fg.accent"
      textDecoration="underline"
      textUnderlineOffset="3px"
      verticalAlign="baseline"
      {...props}
    />
  );
}
