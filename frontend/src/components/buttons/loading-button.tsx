import { Button, type ButtonProps, Spinner } from '@chakra-ui/react';
import type { MouseEvent } from 'react';

/**
 * A button that keeps the focus while it is disabled or loading. The native `disabled` attribute would move the focus to
 * the page; this button sets `aria-disabled` and ignores clicks instead.
 */
export function LoadingButton({ disabled, loading, loadingText, onClick, children, ...props }: ButtonProps) {
  const isDisabled = Boolean(disabled) || Boolean(loading);
  return (
    <Button
      {...props}
      aria-disabled={isDisabled || undefined}
      aria-busy={loading || undefined}
      onClick={isDisabled ? ignoreClick : onClick}
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

/** Also prevents a submit button from submitting its form. */
function ignoreClick(event: MouseEvent) {
  event.preventDefault();
}
