import { Badge, Box, Flex, IconButton, Stack, Text } from '@chakra-ui/react';
import type { ConnectionAdaptation, ProviderConnection } from '@tanya/contract';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { DeleteButton, EditButton } from '../../../components/buttons/row-buttons';
import { t } from '../../../app/i18n/translate';
import { LoadingButton } from '../../../components/buttons/loading-button';
import { LabelledSwitch } from '../../../components/forms/labelled-switch';
import { kindLabel } from './connection-kinds';
import { useForgetAdaptations, useInstantChange, useTestConnection } from './connection-mutations';
import { TestResult } from './test-result';
import { formatDateTime } from '../../../app/i18n/formats';
import { failureOf, type Health, HealthLine } from '../../../components/feedback/health-line';
import { failureSentence } from './fault-sentence';

interface ConnectionRowProps {
  connection: ProviderConnection;
  /** The neighbours in the list; null at its ends. */
  above: ProviderConnection | null;
  below: ProviderConnection | null;
  onEdit: () => void;
  onDelete: () => void;
}

export function ConnectionRow({ connection, above, below, onEdit, onDelete }: ConnectionRowProps) {
  const { id, name, kind, address, baseUrlSource, enabled, isBuiltIn } = connection;
  const test = useTestConnection(connection);
  const toggle = useInstantChange(id, (all) =>
    all.map((each) => (each.id === id ? { ...each, enabled: !enabled } : each)),
  );
  return (
    <Stack as="li" gap="2" p="3" borderWidth="1px" borderRadius="l2">
      <Flex gap="3" justify="space-between" align="start">
        <Box minW="0">
          <Flex gap="2" align="center" wrap="wrap" fontWeight="medium" overflowWrap="anywhere">
            {name}
            {name !== kindLabel(kind) && (
              <Badge size="xs" variant="outline">
                {kindLabel(kind)}
              </Badge>
            )}
            {!enabled && <Badge size="xs">{t('modelsPage.disabled')}</Badge>}
          </Flex>
          <Text fontFamily="mono" textStyle="xs" color="fg.muted" overflowWrap="anywhere">
            {address}
            {baseUrlSource === 'environment' && ` (${t('connections.ofEnvironment')})`}
          </Text>
        </Box>
        <LabelledSwitch
          label={t('modelsPage.enable', { name })}
          checked={enabled}
          pending={toggle.isPending}
          onChange={(checked) => toggle.mutate({ enabled: checked })}
        />
      </Flex>
      <Text color="fg.muted">{[keyText(connection), ...usesOf(connection)].join(' · ')}</Text>
      <ConnectionHealth connection={connection} />
      <ConnectionAdaptations connection={connection} />
      <Box css={{ '& > [role=status]:not(:empty)': { marginTop: '2' } }}>
        <Flex gap="1" align="center" wrap="wrap">
          <LoadingButton
            size="xs"
            variant="outline"
            aria-label={t('connections.testOf', { name })}
            loading={test.isPending}
            onClick={() => test.mutate({ id })}
          >
            {t('connections.test')}
          </LoadingButton>
          <Box flex="1" />
          <MoveButton connection={connection} to={above} direction="up" />
          <MoveButton connection={connection} to={below} direction="down" />
          <EditButton label={t('common.editNamed', { name })} onClick={onEdit} />
          {!isBuiltIn && <DeleteButton label={t('common.deleteNamed', { name })} onClick={onDelete} />}
        </Flex>
        <TestResult test={test} />
      </Box>
    </Stack>
  );
}

interface MoveButtonProps {
  connection: ProviderConnection;
  to: ProviderConnection | null;
  direction: 'up' | 'down';
}

function MoveButton({ connection, to, direction }: MoveButtonProps) {
  const move = useInstantChange(connection.id, (all) => (to ? moveTo(all, connection.id, to.position) : all));
  return (
    <IconButton
      size="xs"
      variant="ghost"
      aria-label={t(`connections.${direction}`, { name: connection.name })}
      // Not `disabled`, which would move the focus to the page.
      aria-disabled={to === null || move.isPending}
      onClick={() => to && move.mutate({ position: to.position })}
    >
      {direction === 'up' ? <ArrowUp /> : <ArrowDown />}
    </IconButton>
  );
}

function keyText({ apiKey, keySource, isKeyUnreadable }: ProviderConnection): string {
  if (isKeyUnreadable) return t('connections.keyUnreadable');
  if (keySource === 'none') return t('connections.noKey');
  return keySource === 'environment' ? t('connections.environmentKey') : t('connections.key', { key: apiKey });
}

function usesOf({ modelCount, answersUnbound }: ProviderConnection): string[] {
  const chosen = t('connections.models', { count: modelCount });
  if (!answersUnbound) return [chosen];
  return [t('connections.answersUnbound'), ...(modelCount > 0 ? [chosen] : [])];
}

/** The list after a move to a position, as the server will return it: positions count from 1. */
function moveTo(all: readonly ProviderConnection[], id: number, position: number): ProviderConnection[] {
  const from = all.findIndex((connection) => connection.id === id);
  const to = all.findIndex((connection) => connection.position === position);
  const row = all[from];
  if (!row || to < 0) return [...all];
  const moved = all.toSpliced(from, 1).toSpliced(to, 0, row);
  return moved.map((connection, index) => ({ ...connection, position: index + 1 }));
}

function ConnectionHealth({ connection }: { connection: ProviderConnection }) {
  return <HealthLine {...healthOf(connection)} />;
}

function healthOf(connection: ProviderConnection): Health {
  const { isConfigured, isKeyUnreadable, lastSuccess } = connection;
  const failure = failureOf(connection);
  const succeeded = lastSuccess && t('connections.lastSuccess', { time: formatDateTime(new Date(lastSuccess)) });
  if (isKeyUnreadable) {
    return {
      color: 'fg.error',
      text: t('connections.keyUnreadable'),
      cause: t('connections.secretChanged'),
    };
  }
  if (failure) {
    const failed = t('connections.failed', { time: formatDateTime(new Date(failure.at)) });
    const text = succeeded ? `${failed}. ${succeeded}.` : failed;
    return { color: 'fg.error', text, cause: failureSentence(failure) };
  }
  if (succeeded) return { color: 'fg.success', text: succeeded };
  return { color: 'fg.subtle', text: isConfigured ? t('connections.unused') : t('connections.unconfigured') };
}

/** Models whose line is shown. */
const MAX_SHOWN = 10;

/** How requests are changed for the server of a connection, with a button that lets it be forgotten. */
function ConnectionAdaptations({ connection: { id, name, adaptations } }: { connection: ProviderConnection }) {
  const forget = useForgetAdaptations(id);
  if (adaptations.length === 0) return null;
  const hidden = adaptations.length - MAX_SHOWN;
  return (
    <Box color="fg.muted">
      <Flex gap="2" align="center" justify="space-between">
        {t('connections.adapted')}
        <LoadingButton
          size="xs"
          variant="outline"
          aria-label={t('connections.forgetOf', { name })}
          loading={forget.isPending}
          onClick={() => forget.mutate()}
        >
          {t('connections.forget')}
        </LoadingButton>
      </Flex>
      <Box as="ul" ps="5" listStyleType="disc" overflowWrap="anywhere">
        {adaptations.slice(0, MAX_SHOWN).map((adaptation) => (
          <li key={adaptation.model}>
            {adaptation.model}: {changesOf(adaptation).join(', ')}
          </li>
        ))}
        {hidden > 0 && <li>{t('connections.moreAdapted', { count: hidden })}</li>}
      </Box>
    </Box>
  );
}

/** Sentences of changes that are not a field. Later versions add names, which are shown as they are. */
const CHANGES = {
  system: 'connections.systemFolded',
  alternation: 'connections.rolesAlternate',
  content: 'connections.emptyText',
  blank: 'connections.textsFilled',
  text_parts: 'connections.textsJoined',
  names: 'connections.namesLeftOut',
  reasoning_content: 'connections.emptyReasoning',
  schemas: 'connections.plainSchemas',
  call_ids: 'connections.shortIds',
  signatures: 'connections.callsMarked',
  reasoning_effort: 'connections.noReasoningWithTools',
  tools: 'connections.toolsOfCalls',
  stream: 'connections.notStreamed',
  stream_with_tools: 'connections.notStreamedWithTools',
  tool_choice_none: 'connections.toolsLeftOut',
  max_tokens: 'connections.limitRenamed',
  max_completion_tokens: 'connections.limitRenamed',
} as const;

const changesOf = ({ changes }: ConnectionAdaptation): string[] => changes.map(sentenceOf);

function sentenceOf(name: string): string {
  if (name in CHANGES) return t(CHANGES[name as keyof typeof CHANGES], { name });
  // A default parameter stands with its value, such as `temperature=0.2`.
  return t(name.includes('=') ? 'connections.defaultLeftOut' : 'connections.fieldLeftOut', { name });
}
