import { useRouterState } from '@tanstack/react-router';
import { type ReactNode, Suspense, useEffect } from 'react';
import { createPortal } from 'react-dom';
import { lazyWithPreload } from '../../../components/lazy/lazy-with-preload';
import { closePreview, PreviewContext, usePreview } from '../../markdown/code/preview-store';

const PreviewPanel = lazyWithPreload(() => import('../../markdown/code/preview-panel'));

/** Lets the code blocks of a conversation open a preview beside it. Another conversation closes the preview. */
export function PreviewHost({ children }: { children: ReactNode }) {
  const isOpen = usePreview((state) => state.preview !== null);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  useEffect(() => closePreview, [path]);
  return (
    <PreviewContext value>
      {children}
      {isOpen &&
        createPortal(
          <Suspense>
            <PreviewPanel />
          </Suspense>,
          document.querySelector('main')!,
        )}
    </PreviewContext>
  );
}
