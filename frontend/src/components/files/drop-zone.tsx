import { Flex, type FlexProps } from '@chakra-ui/react';
import { type DragEvent, Suspense, useRef, useState } from 'react';
import { lazyWithPreload } from '../lazy/lazy-with-preload';

const DropHint = lazyWithPreload(() => import('./drop-hint'));

interface DropZoneProps extends FlexProps {
  disabled: boolean;
  /** What is said while files are above the zone. */
  hint?: string;
  /** A folder is one of the files, which cannot be read; `dropped` has what is in it. */
  onFiles: (files: File[], dropped: DataTransfer) => void;
}

function hasFiles(event: DragEvent): boolean {
  return event.dataTransfer.types.includes('Files');
}

export function DropZone({ disabled, hint, onFiles, children, ...props }: DropZoneProps) {
  const [isOver, setOver] = useState(false);
  // Entering a child fires a leave event of its parent, so the events are counted.
  const depth = useRef(0);
  const end = () => {
    depth.current = 0;
    setOver(false);
  };
  return (
    <Flex
      position="relative"
      {...props}
      onDragEnter={(event) => {
        if (disabled || !hasFiles(event)) return;
        depth.current += 1;
        setOver(true);
      }}
      onDragLeave={() => {
        depth.current -= 1;
        if (depth.current <= 0) end();
      }}
      onDragOver={(event) => {
        // Otherwise the browser opens the file instead of the page.
        if (hasFiles(event)) event.preventDefault();
      }}
      onDrop={(event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        end();
        if (!disabled) onFiles([...event.dataTransfer.files], event.dataTransfer);
      }}
    >
      {children}
      {isOver && (
        <Suspense fallback={null}>
          <DropHint hint={hint} />
        </Suspense>
      )}
    </Flex>
  );
}
