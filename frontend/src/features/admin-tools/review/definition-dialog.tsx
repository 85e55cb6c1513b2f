import { Button, Skeleton, Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import type { ToolReview, ToolServer } from '@tanya/contract';
import { errorText } from '../../../app/api/api-error';
import { t } from '../../../app/i18n/translate';
import { LoadingButton } from '../../../components/buttons/loading-button';
import { Modal } from '../../../components/dialogs/modal';
import { LoadError } from '../../../components/feedback/load-error';
import { useDelayed } from '../../../components/hooks/use-delayed';
import { useAcceptChange } from '../server-mutations';
import { toolServerQuery } from '../tool-servers.query';
import { DefinitionFields } from './definition-fields';

interface DefinitionDialogProps {
  server: ToolServer;
  /** The server's own name of the tool. */
  tool: string;
  onClose: () => void;
}

/** The definition of a tool. A changed definition stands beside the accepted one until an admin accepts it. */
export function DefinitionDialog({ server, tool, onClose }: DefinitionDialogProps) {
  const details = useQuery(toolServerQuery(server.id));
  const accept = useAcceptChange(server.id, onClose);
  const review = details.data?.definitions.find(({ name }) => name === tool);
  const changed = review?.changed ?? null;
  const toolName = server.tools.find(({ name }) => name === tool)?.toolName ?? tool;
  return (
    <Modal
      title={changed ? t('toolServers.reviewTitle', { name: toolName }) : toolName}
      description={changed ? t('toolServers.reviewHint') : t('toolServers.detailsHint')}
      size={changed ? 'xl' : 'lg'}
      onClose={onClose}
      footer={
        <>
          {accept.error && (
            <Text role="alert" color="fg.error" me="auto" minW="0">
              {errorText(accept.error)}
            </Text>
          )}
          <Button variant="outline" onClick={onClose}>
            {t('common.close')}
          </Button>
          {changed && (
            <LoadingButton
              colorPalette="jade"
              loading={accept.isPending}
              onClick={() => accept.mutate({ tool, hash: changed.hash })}
            >
              {t('toolServers.accept')}
            </LoadingButton>
          )}
        </>
      }
    >
      {details.data ? (
        <Definition review={review} />
      ) : details.isError ? (
        <LoadError message={t('toolServers.definitionError')} onRetry={details.refetch} />
      ) : (
        <Loading />
      )}
    </Modal>
  );
}

function Definition({ review }: { review: ToolReview | undefined }) {
  if (!review) return <Text color="fg.muted">{t('toolServers.toolGone')}</Text>;
  return <DefinitionFields accepted={review.accepted} changed={review.changed} />;
}

function Loading() {
  const isDue = useDelayed();
  return isDue ? (
    <Skeleton height="12rem" borderRadius="l2" role="status" aria-label={t('toolServers.loadingDefinition')} />
  ) : null;
}
