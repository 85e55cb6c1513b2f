import { Badge, Box, IconButton, Menu, Text } from '@chakra-ui/react';
import type { ToolInfo } from '@tanya/contract';
import { Wrench } from 'lucide-react';
import { t } from '../../../../app/i18n/translate';
import type { ConversationKey } from '../../client/outbox-store';
import { textsOf } from './tool-texts';
import { useThreadTools } from './use-thread-tools';

interface ToolsMenuProps {
  conversation: ConversationKey;
  threadId: number | null;
}

/** Switches the tools that the model may call in this conversation. Absent where the user may use none. */
export default function ToolsMenu({ conversation, threadId }: ToolsMenuProps) {
  const { tools, chosen, toggle } = useThreadTools(conversation, threadId);
  if (tools.length === 0) return null;
  const label = chosen.length === 0 ? t('tools.label') : t('tools.labelOn', { count: chosen.length });
  return (
    <Menu.Root closeOnSelect={false} positioning={{ placement: 'top-start', strategy: 'fixed' }}>
      <Menu.Trigger asChild>
        <IconButton
          variant={chosen.length > 0 ? 'subtle' : 'ghost'}
          colorPalette="jade"
          size="sm"
          borderRadius="full"
          flexShrink={0}
          gap="1"
          px={chosen.length > 0 ? '2.5' : undefined}
          color={chosen.length > 0 ? undefined : 'fg.muted'}
          aria-label={label}
          title={label}
        >
          <Wrench size={16} />
          {chosen.length > 0 && (
            <Text as="span" textStyle="xs" aria-hidden>
              {chosen.length}
            </Text>
          )}
        </IconButton>
      </Menu.Trigger>
      <Menu.Positioner>
        <Menu.Content
          aria-label={t('tools.label')}
          width="20rem"
          maxW="calc(100vw - 1.5rem)"
          maxH="60dvh"
          overflowY="auto"
        >
          {tools.map((tool) => (
            <ToolItem key={tool.name} tool={tool} isOn={chosen.includes(tool.name)} onToggle={toggle} />
          ))}
        </Menu.Content>
      </Menu.Positioner>
    </Menu.Root>
  );
}

interface ToolItemProps {
  tool: ToolInfo;
  isOn: boolean;
  onToggle: (name: string) => void;
}

function ToolItem({ tool, isOn, onToggle }: ToolItemProps) {
  const { title, hint } = textsOf(tool);
  return (
    <Menu.CheckboxItem value={tool.name} checked={isOn} onCheckedChange={() => onToggle(tool.name)}>
      <Box minW="0" flex="1">
        <Text>
          {title}
          {tool.policy === 'ask' && (
            <Badge size="xs" ms="2">
              {t('tools.asks')}
            </Badge>
          )}
        </Text>
        <Text textStyle="xs" color="fg.muted" lineClamp={2}>
          {hint}
        </Text>
      </Box>
      <Menu.ItemIndicator />
    </Menu.CheckboxItem>
  );
}
