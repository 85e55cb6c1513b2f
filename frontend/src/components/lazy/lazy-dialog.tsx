import { type ComponentType, type FunctionComponent, useEffect, useRef, useState } from 'react';
import { errorText } from '../../app/api/api-error';
import { notify } from '../feedback/notify';
import { LOADING_DELAY_MS } from '../hooks/use-delayed';
import { loadLate } from './load-late';
import { prefetch } from './prefetch';

interface DialogProps {
  onClose: () => void;
}

/**
 * A dialog or menu in a chunk of its own, prefetched while the page is idle. If a click comes first, the pressed button
 * is marked as busy until the chunk has loaded. If the load fails, the dialog closes with a notice and the next click
 * loads it again.
 */
export function lazyDialog<Props extends DialogProps>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): FunctionComponent<Props> {
  let loaded: ComponentType<Props> | null = null;
  const loadOnce = async () => {
    loaded = (await loadLate(load)).default;
    return loaded;
  };
  prefetch(loadOnce);

  return function LazyDialog(props: Props) {
    const [Dialog, setDialog] = useState(() => loaded);
    const close = useRef(props.onClose);
    useEffect(() => {
      close.current = props.onClose;
    });
    useEffect(() => {
      if (Dialog) return;
      const clearBusy = markBusy(document.activeElement?.closest('button'));
      let isOpen = true;
      loadOnce()
        .then((component) => isOpen && setDialog(() => component))
        .catch((error: unknown) => {
          if (!isOpen) return;
          notify({ title: errorText(error), kind: 'error' });
          close.current();
        })
        .finally(clearBusy);
      return () => {
        isOpen = false;
        clearBusy();
      };
    }, [Dialog]);
    return Dialog && <Dialog {...props} />;
  };
}

/** Marks a button as busy after a delay that hides short waits; returns a function that clears the mark. */
function markBusy(button: Element | null | undefined): () => void {
  const timer = setTimeout(() => button?.setAttribute('aria-busy', 'true'), LOADING_DELAY_MS);
  return () => {
    clearTimeout(timer);
    button?.removeAttribute('aria-busy');
  };
}
