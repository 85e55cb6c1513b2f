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

/** Whether files are above the zone itself. Events of dialogs, which lie over it, come here too. */
function hasFiles({ dataTransfer, currentTarget, target }: DragEvent): boolean {
  return dataTransfer.types.includes('Files') && currentTarget.contains(target as Node);
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
      onDragLeave={(event) => {
        if (!hasFiles(event)) return;
        depth.current -= 1;
        if (depth.current <= 0) end();
      }}
      onDragOver={(event) => {
        // Others are rejected (stray-files.ts).
        if (!disabled && hasFiles(event)) event.preventDefault();
      }}
      onDrop={(event) => {
        end();
        if (disabled || !hasFiles(event)) return;
        event.preventDefault();
        onFiles([...event.dataTransfer.files], event.dataTransfer);
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
