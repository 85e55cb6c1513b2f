import { Badge, Box, Button, Flex, Text } from '@chakra-ui/react';
import { SERVER_TOOL_POLICIES, type ServerTool, type ServerToolPolicy } from '@tanya/contract';
import { useEffect, useState } from 'react';
import { t } from '../../app/i18n/translate';
import { useChangePolicy } from './server-mutations';
import { Select } from '../../components/forms/select';

interface ToolRowProps {
  serverId: number;
  tool: ServerTool;
  onReview: () => void;
}

/** A tool with its policy, which is saved at once. */
export function ToolRow({ serverId, tool, onReview }: ToolRowProps) {
  const { title, toolName, description, state } = tool;
  const isChanged = state === 'changed';
  return (
    <Flex
      as="li"
      direction={{ base: 'column', lg: 'row' }}
      gap={{ base: '2', lg: '4' }}
      align={{ lg: 'center' }}
      py="3"
      borderTopWidth="1px"
    >
      <Box minW="0" flex="1">
        <Flex gap="2" align="center" wrap="wrap" fontWeight="medium">
          <Text overflowWrap="anywhere" minW="0">
            {title}
          </Text>
          {isChanged && <Badge colorPalette="orange">{t('toolServers.changed')}</Badge>}
        </Flex>
        <Text fontFamily="mono" textStyle="xs" color="fg.muted" overflowWrap="anywhere">
          {toolName}
        </Text>
        {description && (
          <Text color="fg.muted" lineClamp={2} overflowWrap="anywhere">
            {description}
          </Text>
        )}
      </Box>
      <Flex gap="2" flexShrink={0} align="center" justify={{ base: 'space-between', lg: 'end' }}>
        <PolicySelect serverId={serverId} tool={tool} />
        <Button
          size="sm"
          variant={isChanged ? 'solid' : 'outline'}
          colorPalette={isChanged ? 'jade' : undefined}
          minW="6.5rem"
          aria-label={t(isChanged ? 'toolServers.reviewOf' : 'toolServers.detailsOf', { title })}
          onClick={onReview}
        >
          {t(isChanged ? 'toolServers.review' : 'toolServers.details')}
        </Button>
      </Flex>
    </Flex>
  );
}

function PolicySelect({ serverId, tool: { name, title, policy } }: Pick<ToolRowProps, 'serverId' | 'tool'>) {
  const change = useChangePolicy(serverId, name);
  // The newest choice, until the servers have been read again. `isPending` comes and goes with other renders than the
  // choice and the answer, so it alone would show the old policy for a moment.
  const [chosen, setChosen] = useState<ServerToolPolicy | null>(null);
  useEffect(() => {
    if (!change.isPending) setChosen(null);
  }, [change.isPending]);
  const choose = (next: ServerToolPolicy) => {
    setChosen(next);
    change.mutate(next);
  };
  return (
    <Select
      root={{ size: 'sm', width: '12rem' }}
      aria-label={t('toolServers.policyOf', { title })}
      aria-busy={chosen !== null}
      value={chosen ?? policy}
      onChange={({ target }) => choose(target.value as ServerToolPolicy)}
      options={SERVER_TOOL_POLICIES.map((each) => [each, t(`toolServers.policy_${each}`)])}
    />
  );
}
