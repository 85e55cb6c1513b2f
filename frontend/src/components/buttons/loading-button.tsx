import { Button, type ButtonProps, Spinner } from '@chakra-ui/react';
import type { MouseEvent } from 'react';

/**
 * A button that goes out of use while it is pressed, as for the time of its own call. One that is `disabled` then would
 * lose the focus to the page; this one keeps it and does nothing.
 */
export function LoadingButton({ disabled, loading, loadingText, onClick, children, ...props }: ButtonProps) {
  const isOff = Boolean(disabled) || Boolean(loading);
  return (
    <Button
      {...props}
      aria-disabled={isOff || undefined}
      aria-busy={loading || undefined}
      onClick={isOff ? ignore : onClick}
    >
      {loading ? (
        <>
          <Spinner size="inherit" borderWidth="0.125em" aria-hidden />
          {loadingText ?? children}
        </>
      ) : (
        children
      )}
    </Button>
  );
}

/** Not sent either, where the button sends a form. */
function ignore(event: MouseEvent) {
  event.preventDefault();
}
