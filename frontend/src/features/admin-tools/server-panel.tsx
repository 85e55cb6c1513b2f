import { Box, Button, Flex, IconButton, Stack, Text } from '@chakra-ui/react';
import type { ToolServer } from '@tanya/contract';
import { Pencil, RefreshCw, Trash2, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { t } from '../../app/i18n/translate';
import { Panel } from '../../components/layout/panel';
import { LoadingButton } from '../../components/buttons/loading-button';
import { useRefreshServer } from './server-mutations';
import { ToolRow } from './tool-row';
import { formatDateTime } from '../../app/i18n/formats';
import { type Health, HealthLine } from '../../components/feedback/health-line';
import { failureText } from './failure-text';

/** Tools of a server that show at first. Changed ones always show. */
const SHOWN_TOOLS = 10;

interface ServerPanelProps {
  server: ToolServer;
  onEdit: () => void;
  onDelete: () => void;
  onReview: (tool: string) => void;
}

export function ServerPanel({ server, onEdit, onDelete, onReview }: ServerPanelProps) {
  const { name, url, tools } = server;
  return (
    <Box as="li">
      <Panel
        title={name}
        hint={
          <Text as="span" fontFamily="mono" textStyle="xs" overflowWrap="anywhere">
            {url}
          </Text>
        }
        action={<Actions server={server} onEdit={onEdit} onDelete={onDelete} />}
      >
        <Stack gap="3">
          <Text color="fg.muted">{factsOf(server).join(' · ')}</Text>
          <ServerHealth server={server} />
          <Changes count={tools.filter(({ state }) => state === 'changed').length} />
          <LeftOut server={server} />
          <Tools server={server} onReview={onReview} />
        </Stack>
      </Panel>
    </Box>
  );
}

function factsOf({ tools, plans, headerNames }: ToolServer): string[] {
  const offered = plans.map((plan) => t(`toolSettings.${plan}`));
  return [
    t('toolServers.count', { count: tools.length }),
    ...(offered.length > 0 ? offered : [t('toolServers.noPlan')]),
    ...(headerNames.length > 0 ? [t('toolServers.headerNames', { names: headerNames.join(', ') })] : []),
  ];
}

/** The tools of the server that cannot be used, with the reasons. */
function LeftOut({ server: { leftOut, leftOutTools } }: Pick<ServerPanelProps, 'server'>) {
  if (leftOut === 0) return null;
  return (
    <Box color="fg.muted">
      <Text>{t('toolServers.leftOut', { count: leftOut })}</Text>
      <Stack as="ul" gap="1" ps="4" mt="1" listStyleType="disc" textStyle="xs">
        {leftOutTools.map(({ name, reason }, index) => (
          <Text as="li" key={index} overflowWrap="anywhere" lineClamp="2">
            {t(`toolServers.leftOutReasons.${reason}`)}
            {name !== null && ` (${name})`}
          </Text>
        ))}
      </Stack>
    </Box>
  );
}

function Actions({ server, onEdit, onDelete }: Pick<ServerPanelProps, 'server' | 'onEdit' | 'onDelete'>) {
  const { name } = server;
  const refresh = useRefreshServer(server);
  return (
    <Flex gap="2">
      <LoadingButton
        size="sm"
        variant="outline"
        loading={refresh.isPending}
        aria-label={t('toolServers.refreshOf', { name })}
        onClick={() => refresh.mutate()}
      >
        <RefreshCw aria-hidden /> {t('common.refresh')}
      </LoadingButton>
      <IconButton size="sm" variant="outline" aria-label={t('common.editNamed', { name })} onClick={onEdit}>
        <Pencil />
      </IconButton>
      <IconButton size="sm" variant="outline" aria-label={t('common.deleteNamed', { name })} onClick={onDelete}>
        <Trash2 />
      </IconButton>
    </Flex>
  );
}

function Changes({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <Flex gap="2.5" p="3" borderRadius="l2" bg="bg.warning">
      <Box asChild color="fg.warning" flexShrink={0} mt="0.5">
        <TriangleAlert size={16} aria-hidden />
      </Box>
      {t('toolServers.changes', { count })}
    </Flex>
  );
}

function Tools({ server, onReview }: Pick<ServerPanelProps, 'server' | 'onReview'>) {
  const { id, name, tools, lastSuccess } = server;
  const [isOpen, setOpen] = useState(false);
  if (tools.length === 0) {
    return <Text color="fg.muted">{t(lastSuccess ? 'toolServers.noTools' : 'toolServers.noList')}</Text>;
  }
  const shown = isOpen ? tools : tools.filter(({ state }, index) => index < SHOWN_TOOLS || state === 'changed');
  return (
    <>
      <Box as="ul" listStyleType="none" mb="-3" aria-label={t('toolServers.toolsOf', { name })}>
        {shown.map((tool) => (
          <ToolRow key={tool.name} serverId={id} tool={tool} onReview={() => onReview(tool.name)} />
        ))}
      </Box>
      {tools.length > SHOWN_TOOLS && (
        <Button
          size="xs"
          variant="ghost"
          alignSelf="start"
          mt="2"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? t('toolServers.fewerTools') : t('toolServers.allTools', { count: tools.length })}
        </Button>
      )}
    </>
  );
}

function ServerHealth({ server }: { server: ToolServer }) {
  return <HealthLine {...healthOf(server)} />;
}

function healthOf({ areHeadersUnreadable, lastError, lastSuccess }: ToolServer): Health {
  const succeeded = lastSuccess && t('connections.lastSuccess', { time: formatDateTime(new Date(lastSuccess)) });
  if (areHeadersUnreadable) {
    return { color: 'fg.error', text: t('toolServers.headersUnreadable'), cause: t('toolServers.secretChanged') };
  }
  if (lastError) {
    const failed = t('connections.failed', { time: formatDateTime(new Date(lastError.at)) });
    return {
      color: 'fg.error',
      text: succeeded ? `${failed}. ${succeeded}.` : failed,
      cause: failureText(lastError),
    };
  }
  return succeeded ? { color: 'fg.success', text: succeeded } : { color: 'fg.subtle', text: t('connections.unused') };
}
