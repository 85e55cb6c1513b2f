import { Button, Flex, Heading, Stack, Text } from '@chakra-ui/react';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import { openDialog } from '../../app/state/dialogs';

/** Goes home and opens a dialog there, so that a login ends on a useful page. */
export function HomeButton({ dialog, children }: { dialog: 'login' | 'forgot-password'; children: ReactNode }) {
  return (
    <Button asChild colorPalette="jade" alignSelf="center">
      <Link to="/" replace onClick={() => openDialog(dialog)}>
        {children}
      </Link>
    </Button>
  );
}

interface FrameProps {
  title: string;
  sentence: string;
  /** The frame replaces the form, so its title takes the focus. */
  isResult?: boolean;
  children: ReactNode;
}

/** The page of a mailed link. */
export function Frame({ title, sentence, isResult = false, children }: FrameProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (isResult) heading.current?.focus();
  }, [isResult]);
  return (
    <Flex as="main" height="100%" overflowY="auto" p="6">
      <Stack gap="4" width="100%" maxW="24rem" m="auto" textAlign="center">
        <Heading ref={heading} as="h1" textStyle="xl" fontWeight="semibold" tabIndex={-1} outline="none">
          {title}
        </Heading>
        <Text color="fg.muted">{sentence}</Text>
        {children}
      </Stack>
    </Flex>
  );
}
