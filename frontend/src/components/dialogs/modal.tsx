import { Button, Dialog, IconButton, Portal } from '@chakra-ui/react';
import { X } from 'lucide-react';
import { type FormEvent, type ReactNode, type RefObject, useRef, useState } from 'react';
import { t } from '../../app/i18n/translate';
import { addEntries } from '../hooks/overlay-history';
import { useOnBack } from '../hooks/use-on-back';

interface ModalProps {
  title: string;
  description?: ReactNode;
  onClose: () => void;
  /** Leaves the closing to the buttons of the content: no close button, Escape, click outside or Back. */
  isLocked?: boolean;
  /** Closes without a question: what is entered here is typed again at once. */
  isQuick?: boolean;
  children?: ReactNode;
  footer?: ReactNode;
  size?: 'xs' | 'sm' | 'md' | 'lg' | 'xl';
  /** `alertdialog` for confirmations of irreversible actions. */
  role?: 'dialog' | 'alertdialog';
  initialFocus?: RefObject<HTMLElement | null>;
  /** The element that gets the focus on close; by default, and for null, the opener. */
  finalFocus?: () => HTMLElement | null;
}

/** Not set otherwise: an alert dialog has other defaults. */
const LOCKED = { closeOnInteractOutside: false, closeOnEscape: false };

/** The form that sends the input. A search starts again at once, so that closing loses nothing. */
const formOf = ({ target }: FormEvent) =>
  target instanceof Element && target.matches('form :not([type=search])') ? target.closest('form') : null;

/**
 * Forms with an entry that is not stored. A form that stays open after a save has the attribute `data-saved`, `true` while
 * its values are the stored ones. `false` counts without an input: a row may have been removed.
 */
function useEntries() {
  const content = useRef<HTMLDivElement>(null);
  const edited = useRef(new Set<HTMLFormElement>());
  const isUnsaved = (form: HTMLFormElement) => form.isConnected && form.dataset.saved !== 'true';
  return {
    content,
    onInput: (event: FormEvent) => {
      const form = formOf(event);
      if (form) edited.current.add(form);
    },
    hasEntry: () =>
      [...edited.current].some(isUnsaved) || Boolean(content.current?.querySelector('[data-saved=false]')),
  };
}

/**
 * A dialog that is open while it is rendered. It traps the focus and returns it to the opener. While a form has an entry
 * that is not stored, a click outside does not close the dialog, and Escape, Back and the close button ask first.
 */
export function Modal(props: ModalProps) {
  const {
    title,
    description,
    onClose,
    isLocked,
    isQuick,
    children,
    footer,
    size = 'sm',
    role,
    initialFocus,
    finalFocus,
  } = props;
  const { content, onInput, hasEntry } = useEntries();
  const [isAsking, setAsking] = useState(false);
  const close = () => {
    if (isQuick || !hasEntry()) return onClose();
    setAsking(true);
    // Back has taken the dialog's own entry.
    addEntries();
  };
  useOnBack(close, isLocked);
  return (
    <Dialog.Root
      open
      role={role}
      size={size}
      placement="center"
      {...(isLocked && LOCKED)}
      scrollBehavior="inside"
      initialFocusEl={initialFocus ? () => initialFocus.current : undefined}
      finalFocusEl={finalFocus}
      onOpenChange={({ open }) => {
        if (!open) close();
      }}
      onInteractOutside={(event) => {
        if (hasEntry()) event.preventDefault();
      }}
      // A menu that closes as the dialog opens may restore its focus late, and closes the layers above its own; neither
      // must close the dialog.
      onFocusOutside={(event) => event.preventDefault()}
      onRequestDismiss={(event) => event.preventDefault()}
    >
      <Portal>
        <Dialog.Backdrop />
        <Dialog.Positioner
          px="4"
          height="var(--visible-height, 100dvh)"
          pt="env(safe-area-inset-top)"
          pb="env(safe-area-inset-bottom)"
        >
          <Dialog.Content ref={content} maxH="calc(100% - 2rem)" onInput={onInput}>
            <Dialog.Header flexDirection="column" gap="1" pe="12">
              <Dialog.Title>{title}</Dialog.Title>
              {description && <Dialog.Description>{description}</Dialog.Description>}
            </Dialog.Header>
            {children && <Dialog.Body pt="1">{children}</Dialog.Body>}
            {footer && <Dialog.Footer>{footer}</Dialog.Footer>}
            {!isLocked && (
              <Dialog.CloseTrigger asChild>
                <IconButton variant="ghost" size="sm" aria-label={t('common.close')}>
                  <X />
                </IconButton>
              </Dialog.CloseTrigger>
            )}
          </Dialog.Content>
        </Dialog.Positioner>
      </Portal>
      {isAsking && <DiscardQuestion onStay={() => setAsking(false)} onDiscard={onClose} />}
    </Dialog.Root>
  );
}

/** The question before entries are lost. */
export function DiscardQuestion({ onStay, onDiscard }: { onStay: () => void; onDiscard: () => void }) {
  const stay = useRef<HTMLButtonElement>(null);
  return (
    <Modal
      role="alertdialog"
      title={t('unsaved.title')}
      description={t('unsaved.entries')}
      initialFocus={stay}
      onClose={onStay}
      footer={
        <>
          <Button ref={stay} variant="outline" onClick={onStay}>
            {t('unsaved.keep')}
          </Button>
          <Button colorPalette="red" onClick={onDiscard}>
            {t('unsaved.discard')}
          </Button>
        </>
      }
    />
  );
}
