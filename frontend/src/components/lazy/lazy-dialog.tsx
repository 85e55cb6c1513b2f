import { type ComponentType, type FunctionComponent, useEffect, useRef, useState } from 'react';
import { errorText } from '../../app/api/api-error';
import { fetchAhead } from './prefetch';
import { notify } from '../feedback/notify';
import { UNNOTICED_MS } from '../hooks/use-delayed';

interface Openable {
  onClose: () => void;
}

/**
 * What opens at a click, in a file of its own. It is fetched ahead once the page is at rest; if it is not there by the
 * click, the pressed button shows that it is coming, and if it can't be fetched it is closed again and the next click tries anew.
 */
export function lazyDialog<Props extends Openable>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): FunctionComponent<Props> {
  let loaded: ComponentType<Props> | null = null;
  const fetchIt = async () => {
    loaded = (await load()).default;
    return loaded;
  };
  fetchAhead(fetchIt);

  return function Opened(props: Props) {
    const [Shown, setShown] = useState(() => loaded);
    const close = useRef(props.onClose);
    useEffect(() => {
      close.current = props.onClose;
    });
    useEffect(() => {
      if (Shown) return;
      const markReady = markBusy(document.activeElement?.closest('button'));
      let isOpen = true;
      fetchIt()
        .then((Part) => isOpen && setShown(() => Part))
        .catch((error: unknown) => {
          if (!isOpen) return;
          notify({ title: errorText(error), kind: 'error' });
          close.current();
        })
        .finally(markReady);
      return () => {
        isOpen = false;
        markReady();
      };
    }, [Shown]);
    return Shown && <Shown {...props} />;
  };
}

/** Nothing is said of a wait that nobody notices. Returns the way to end it. */
function markBusy(button: Element | null | undefined): () => void {
  const timer = setTimeout(() => button?.setAttribute('aria-busy', 'true'), UNNOTICED_MS);
  return () => {
    clearTimeout(timer);
    button?.removeAttribute('aria-busy');
  };
}
