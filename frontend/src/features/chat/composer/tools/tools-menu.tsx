import { Badge, Box, Flex, IconButton, Menu, Text } from '@chakra-ui/react';
import { type ToolInfo, BUILT_IN_TOOLS, type BuiltInTool } from '@tanya/contract';
import { Calculator, Clock, FileText, Globe, Image, type LucideIcon, Plug, Wrench } from 'lucide-react';
import { t } from '../../../../app/i18n/translate';
import type { ConversationKey } from '../../client/outbox-store';
import { groupByServer, type ToolGroup } from './tool-groups';
import { type ThreadTools, useThreadTools } from './use-thread-tools';

/** Name and purpose of a tool. Those of other servers are shown as the server names them. */
function textsOf({ name, title, description, server }: ToolInfo): { title: string; hint: string } {
  if (server !== null || !isBuiltIn(name)) return { title, hint: description };
  return { title: t(`tools.${name}`), hint: t(`tools.${name}_hint`) };
}

const isBuiltIn = (name: string): name is BuiltInTool => (BUILT_IN_TOOLS as readonly string[]).includes(name);

const ICONS: Record<BuiltInTool, LucideIcon> = {
  web_search: Globe,
  read_page: FileText,
  current_time: Clock,
  calculate: Calculator,
  create_image: Image,
};

interface ToolsMenuProps {
  conversation: ConversationKey;
  threadId: number | null;
}

/** Switches the tools that the model may call in this conversation. Absent where the user may use none. */
export default function ToolsMenu({ conversation, threadId }: ToolsMenuProps) {
  const { tools, chosen, switchTools } = useThreadTools(conversation, threadId);
  if (tools.length === 0) return null;
  const groups = groupByServer(tools);
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
          maxH="min(60dvh, var(--available-height))"
          overflowY="auto"
        >
          <Text px="2" pt="1" pb="2" textStyle="sm" fontWeight="semibold" aria-hidden>
            {t('tools.heading')}
          </Text>
          {groups.map((group) => (
            <Menu.ItemGroup key={group.server?.id ?? 0}>
              {groups.some(({ server }) => server !== null) && (
                <Menu.ItemGroupLabel overflowWrap="anywhere">
                  {group.server?.name ?? t('tools.builtIn')}
                </Menu.ItemGroupLabel>
              )}
              <WholeServer group={group} chosen={chosen} onSwitch={switchTools} />
              {group.tools.map((tool) => (
                <ToolItem key={tool.name} tool={tool} isOn={chosen.includes(tool.name)} onSwitch={switchTools} />
              ))}
            </Menu.ItemGroup>
          ))}
        </Menu.Content>
      </Menu.Positioner>
    </Menu.Root>
  );
}

interface WholeServerProps {
  group: ToolGroup;
  chosen: readonly string[];
  onSwitch: ThreadTools['switchTools'];
}

/** Switches all tools of a server. It is on while each of them is. */
function WholeServer({ group: { server, tools }, chosen, onSwitch }: WholeServerProps) {
  if (server === null || tools.length === 1) return null;
  const names = tools.map(({ name }) => name);
  return (
    <Menu.CheckboxItem
      ps="2"
      value={`server-${server.id}`}
      checked={names.every((name) => chosen.includes(name))}
      onCheckedChange={(isOn) => onSwitch(names, isOn)}
    >
      <Text flex="1">{t('tools.all', { count: tools.length })}</Text>
      <SwitchMark isOn={names.every((name) => chosen.includes(name))} />
    </Menu.CheckboxItem>
  );
}

interface ToolItemProps {
  tool: ToolInfo;
  isOn: boolean;
  onSwitch: ThreadTools['switchTools'];
}

function ToolItem({ tool, isOn, onSwitch }: ToolItemProps) {
  const { title, hint } = textsOf(tool);
  const Icon = tool.server === null && isBuiltIn(tool.name) ? ICONS[tool.name] : Plug;
  return (
    <Menu.CheckboxItem
      ps="2"
      value={tool.name}
      checked={isOn}
      onCheckedChange={(checked) => onSwitch([tool.name], checked)}
    >
      <Icon size={16} aria-hidden />
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
      <SwitchMark isOn={isOn} />
    </Menu.CheckboxItem>
  );
}

/** A switch as a picture: the item itself has the role and the state. */
const SwitchMark = ({ isOn }: { isOn: boolean }) => (
  <Flex
    aria-hidden
    flexShrink={0}
    width="8"
    height="4.5"
    p="0.5"
    borderRadius="full"
    borderWidth="1px"
    borderColor={isOn ? 'jade.solid' : 'border.emphasized'}
    bg={isOn ? 'jade.solid' : 'bg.muted'}
    justify={isOn ? 'flex-end' : 'flex-start'}
  >
    <Box height="100%" aspectRatio="1" borderRadius="full" bg={isOn ? 'jade.contrast' : 'fg.subtle'} />
  </Flex>
);
