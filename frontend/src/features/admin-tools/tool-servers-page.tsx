import { Button, Stack, Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ToolServer } from '@tanya/contract';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { RichText } from '../../app/i18n/rich-text';
import { t } from '../../app/i18n/translate';
import { LoadError } from '../../components/feedback/load-error';
import { LoadingRows } from '../../components/feedback/loading-rows';
import { useFocusRecovery } from '../../components/hooks/use-focus-recovery';
import { PageShell } from '../../components/layout/page-shell';
import { DefinitionDialog } from './review/definition-dialog';
import { ServerDialog } from './server-dialog/server-dialog';
import { ServerPanel } from './server-panel';
import { toolServersQuery } from './tool-servers.query';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog';
import { useDeleteServer } from './server-mutations';

type Open =
  | { kind: 'add' }
  | { kind: 'edit' | 'delete'; server: ToolServer }
  | { kind: 'review'; server: ToolServer; tool: string };

/** The MCP servers with their tools. Changes are saved at once. */
export default function ToolServersPage() {
  const servers = useQuery({ ...toolServersQuery, refetchOnMount: 'always' });
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  const recoverFocus = useFocusRecovery();
  const all = servers.data;
  return (
    <PageShell
      title={t('sidebar.toolServers')}
      sentence={t('toolServers.sentence')}
      action={
        <Button colorPalette="jade" onClick={() => setOpen({ kind: 'add' })}>
          <Plus aria-hidden /> {t('toolServers.add')}
        </Button>
      }
    >
      {servers.isPending && (
        <LoadingRows
          label={t('toolServers.loading')}
          count={2}
          row={{ height: '14rem', borderRadius: 'l3' }}
          gap="6"
          minH="20rem"
        />
      )}
      {servers.isLoadingError && <LoadError message={t('toolServers.loadError')} onRetry={servers.refetch} />}
      {servers.isError && all && (
        <Text role="alert" color="fg.error">
          {t('toolServers.staleError')}
        </Text>
      )}
      {all?.length === 0 && <Text color="fg.muted">{t('toolServers.none')}</Text>}
      <Stack ref={recoverFocus} as="ul" gap="6" listStyleType="none" aria-label={t('sidebar.toolServers')}>
        {all?.map((server) => (
          <ServerPanel
            key={server.id}
            server={server}
            onEdit={() => setOpen({ kind: 'edit', server })}
            onDelete={() => setOpen({ kind: 'delete', server })}
            onReview={(tool) => setOpen({ kind: 'review', server, tool })}
          />
        ))}
      </Stack>
      <Text color="fg.muted">
        <RichText
          text={t('toolServers.builtIn', { page: t('sidebar.generalSettings') })}
          tags={{
            settings: (words) => (
              <Link
                to="/admin/{-$page}"
                params={{ page: 'settings' }}
                hash="tools"
                style={{ textDecoration: 'underline' }}
              >
                {words}
              </Link>
            ),
          }}
        />
      </Text>
      {open?.kind === 'add' && <ServerDialog server={null} onClose={close} />}
      {open?.kind === 'edit' && <ServerDialog server={open.server} onClose={close} />}
      {open?.kind === 'delete' && <DeleteServerDialog server={open.server} onClose={close} />}
      {open?.kind === 'review' && <DefinitionDialog server={open.server} tool={open.tool} onClose={close} />}
    </PageShell>
  );
}

interface DeleteServerDialogProps {
  server: ToolServer;
  onClose: () => void;
}

function DeleteServerDialog({ server: { id, name }, onClose }: DeleteServerDialogProps) {
  const remove = useDeleteServer(id, onClose);
  return (
    <ConfirmDialog
      title={t('toolServers.deleteTitle')}
      question={t('toolServers.deleteQuestion', { name })}
      pending={remove.isPending}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    />
  );
}
