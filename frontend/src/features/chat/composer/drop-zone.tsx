import { Center, Flex, type FlexProps } from '@chakra-ui/react';
import { Upload } from 'lucide-react';
import { type DragEvent, useRef, useState } from 'react';

interface DropZoneProps extends FlexProps {
  isOff: boolean;
  onFiles: (files: Iterable<File>) => void;
}

function hasFiles(event: DragEvent): boolean {
  return event.dataTransfer.types.includes('Files');
}

/** Takes files that are dropped anywhere over the conversation. */
export function DropZone({ isOff, onFiles, children, ...props }: DropZoneProps) {
  const [isOver, setOver] = useState(false);
  // Entering a child leaves its parent, so the two are counted.
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
        if (isOff || !hasFiles(event)) return;
        depth.current += 1;
        setOver(true);
      }}
      onDragLeave={() => {
        depth.current -= 1;
        if (depth.current <= 0) end();
      }}
      onDragOver={(event) => {
        // Without this the browser would open the file in place of the page.
        if (hasFiles(event)) event.preventDefault();
      }}
      onDrop={(event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        end();
        if (!isOff) onFiles([...event.dataTransfer.files]);
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
