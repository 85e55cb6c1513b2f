import { Button, chakra, Flex } from '@chakra-ui/react';
import { Download } from 'lucide-react';
import { t } from '../../../app/i18n/translate';
import { Modal } from '../../../components/dialogs/modal';

interface ImageViewerProps {
  url: string;
  name: string;
  onClose: () => void;
}

export default function ImageViewer({ url, name, onClose }: ImageViewerProps) {
  return (
    <Modal
      title={name}
      size="xl"
      onClose={onClose}
      footer={
        <Button asChild variant="outline">
          <a href={url} download>
            <Download size={16} /> {t('message.download')}
          </a>
        </Button>
      }
    >
      <Flex justify="center">
        <chakra.img src={url} alt={name} maxH="70dvh" maxW="100%" objectFit="contain" borderRadius="l2" />
      </Flex>
    </Modal>
  );
}
