import { Badge, Box, Flex, IconButton, Stack, Text } from '@chakra-ui/react';
import type { ProviderConnection } from '@tanya/contract';
import { ArrowDown, ArrowUp, Pencil, Trash2 } from 'lucide-react';
import { LoadingButton } from '../../../components/buttons/loading-button';
import { LabelledSwitch } from '../../../components/forms/labelled-switch';
import { ConnectionHealth } from './connection-health';
import { KINDS } from './connection-kinds';
import { useInstantChange, useTestConnection } from './connection-mutations';
import { moveTo } from './move-to';
import { TestResult } from './test-result';

interface ConnectionRowProps {
  connection: ProviderConnection;
  /** The neighbours in the list; null at its ends. */
  above: ProviderConnection | null;
  below: ProviderConnection | null;
  onEdit: () => void;
  onDelete: () => void;
}

export function ConnectionRow({ connection, above, below, onEdit, onDelete }: ConnectionRowProps) {
  const { id, name, kind, baseUrl, enabled, isBuiltIn } = connection;
  const test = useTestConnection();
  const toggle = useInstantChange(id, (all) =>
    all.map((each) => (each.id === id ? { ...each, enabled: !enabled } : each)),
  );
  return (
    <Stack as="li" gap="2" p="3" borderWidth="1px" borderRadius="l2">
      <Flex gap="3" justify="space-between" align="start">
        <Box minW="0">
          <Flex gap="2" align="center" wrap="wrap" fontWeight="medium" overflowWrap="anywhere">
            {name}
            {name !== KINDS[kind].label && (
              <Badge size="xs" variant="outline">
                {KINDS[kind].label}
              </Badge>
            )}
            {!enabled && <Badge size="xs">Disabled</Badge>}
          </Flex>
          <Text fontFamily="mono" textStyle="xs" color="fg.muted" overflowWrap="anywhere">
            {baseUrl || KINDS[kind].publicUrl}
          </Text>
        </Box>
        <LabelledSwitch
          label={`Enable ${name}`}
          checked={enabled}
          pending={toggle.isPending}
          onChange={(checked) => toggle.mutate({ enabled: checked })}
        />
      </Flex>
      <Text color="fg.muted">
        {keyText(connection)} · {modelsText(connection.modelCount)}
      </Text>
      <ConnectionHealth connection={connection} />
      <Box css={{ '& > [role=status]:not(:empty)': { marginTop: '2' } }}>
        <Flex gap="1" align="center" wrap="wrap">
          <LoadingButton
            size="xs"
            variant="outline"
            aria-label={`Test ${name}`}
            loading={test.isPending}
            onClick={() => test.mutate({ id })}
          >
            Test
          </LoadingButton>
          <Box flex="1" />
          <MoveButton connection={connection} to={above} direction="up" />
          <MoveButton connection={connection} to={below} direction="down" />
          <IconButton size="xs" variant="ghost" aria-label={`Edit ${name}`} onClick={onEdit}>
            <Pencil />
          </IconButton>
          {!isBuiltIn && (
            <IconButton size="xs" variant="ghost" color="fg.error" aria-label={`Delete ${name}`} onClick={onDelete}>
              <Trash2 />
            </IconButton>
          )}
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
      aria-label={`Move ${connection.name} ${direction}`}
      // Not `disabled`, which would move the focus to the page.
      aria-disabled={to === null || move.isPending}
      onClick={() => to && move.mutate({ position: to.position })}
    >
      {direction === 'up' ? <ArrowUp /> : <ArrowDown />}
    </IconButton>
  );
}

function keyText({ apiKey, keySource, isKeyUnreadable }: ProviderConnection): string {
  if (isKeyUnreadable) return 'Key unreadable';
  if (keySource === null) return 'No key';
  return keySource === 'environment' ? 'Key of the environment' : `Key ${apiKey}`;
}

function modelsText(count: number): string {
  if (count === 0) return 'no model is bound to it';
  return count === 1 ? '1 model is bound to it' : `${count.toLocaleString()} models are bound to it`;
}
