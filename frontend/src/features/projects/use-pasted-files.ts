import { useEffect, useEffectEvent } from 'react';
import { pastedFiles } from '../../components/files/pasted-files';
import { type Dropped, droppedIn } from './folder-files';

/** Hands on the files that are pasted anywhere on the page, but in dialogs. Fields keep the texts that are pasted there. */
export function usePastedFiles(isOn: boolean, onFiles: (files: Dropped[]) => void): void {
  const paste = useEffectEvent((event: ClipboardEvent) => {
    const { clipboardData, target } = event;
    if (clipboardData === null || event.defaultPrevented || pastedFiles(clipboardData).length === 0) return;
    const at = target instanceof Element ? target : document.body;
    if (at.closest('[role=dialog], [role=alertdialog]') !== null) return;
    const isField = at.closest('input, textarea, [contenteditable]') !== null;
    if (isField && clipboardData.types.includes('text/plain')) return;
    event.preventDefault();
    onFiles(droppedIn(clipboardData));
  });
  useEffect(() => {
    if (!isOn) return;
    const listen = (event: ClipboardEvent) => paste(event);
    document.addEventListener('paste', listen);
    return () => document.removeEventListener('paste', listen);
  }, [isOn]);
}
