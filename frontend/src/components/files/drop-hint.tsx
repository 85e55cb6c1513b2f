import { Center } from '@chakra-ui/react';
import { Upload } from 'lucide-react';
import { t } from '../../app/i18n/translate';

export default function DropHint({ hint = t('attachments.drop') }: { hint: string | undefined }) {
  return (
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
      fontWeight="medium"
    >
      <Upload size={20} aria-hidden /> {hint}
    </Center>
  );
}
