import { Center, Flex, type FlexProps } from '@chakra-ui/react';
import { Upload } from 'lucide-react';
import { type DragEvent, useRef, useState } from 'react';

interface DropZoneProps extends FlexProps {
  disabled: boolean;
  onFiles: (files: Iterable<File>) => void;
}

function hasFiles(event: DragEvent): boolean {
  return event.dataTransfer.types.includes('Files');
}

/** Accepts files that are dropped anywhere on the conversation. */
export function DropZone({ disabled, onFiles, children, ...props }: DropZoneProps) {
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
        if (!disabled) onFiles([...event.dataTransfer.files]);
      }}
    >
      {children}
      {isOver && (
        <Center
          position="absolute"
          inset="3"
          zIndex="docked"
          gap="2"
          pointerEvents="none"
          borderWidth="2px"
          borderStyle="dashed"
          borderColor="jade.solid"
          borderRadius="l3"
          bg="jade.subtle"
          color="jade.fg"
          opacity="0.95"
          fontWeight="medium"
        >
          <Upload size={20} aria-hidden /> Drop to attach
        </Center>
      )}
    </Flex>
  );
}
