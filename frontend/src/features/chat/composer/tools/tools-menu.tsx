import { Badge, Box, Button, Flex, IconButton, Menu, Text } from '@chakra-ui/react';
import type { BuiltInTool, ToolInfo } from '@tanya/contract';
import { Calculator, Clock, FileText, Globe, Image, type LucideIcon, Plug, Wrench } from 'lucide-react';
import { isBuiltIn, toolTexts } from '../../../../app/i18n/tool-texts';
import { t } from '../../../../app/i18n/translate';
import type { ConversationKey } from '../../client/outbox-store';
import type { ReactElement } from 'react';
import { groupByServer, type ToolGroup } from './tool-groups';
import { HARMLESS_TOOLS, type ThreadTools, useThreadTools } from './use-thread-tools';

/** A tool without an icon of its own has a wrench. */
const ICONS: Partial<Record<BuiltInTool, LucideIcon>> = {
  web_search: Globe,
  read_page: FileText,
  current_time: Clock,
  calculate: Calculator,
  create_image: Image,
};

interface ToolsMenuProps {
  conversation: ConversationKey;
  threadId: number | null;
  /** The project of a new chat; undefined for none. */
  projectId?: number;
  /** Keeps the place of the menu until the tools are read. */
  place: ReactElement;
}

/** Switches the tools that the model may call in this conversation. Absent where the user may use none. */
export default function ToolsMenu({ conversation, threadId, projectId, place }: ToolsMenuProps) {
  const threadTools = useThreadTools(conversation, threadId, projectId);
  if (threadTools.isLoading) return place;
  if (threadTools.tools.length === 0) return null;
  return (
    <>
      <MenuOfTools {...threadTools} />
      <SearchButton {...threadTools} />
    </>
  );
}

/** The tools of a web search: a page that was found is read. */
const SEARCH_TOOLS: readonly BuiltInTool[] = ['web_search', 'read_page'];

/** Switches the web search, where one is set up. */
function SearchButton({ tools, chosen, switchTools }: ThreadTools) {
  const offered = tools.filter(({ name, server }) => server === null && SEARCH_TOOLS.some((known) => known === name));
  if (!offered.some(({ name }) => name === 'web_search')) return null;
  const isOn = chosen.includes('web_search');
  return (
    <Button
      variant={isOn ? 'subtle' : 'ghost'}
      colorPalette="jade"
      size="sm"
      flexShrink={0}
      gap="1"
      px="2.5"
      borderRadius="full"
      textStyle="xs"
      color={isOn ? undefined : 'fg.muted'}
      aria-pressed={isOn}
      aria-label={t('tools.web_search')}
      title={t('tools.web_search_hint')}
      onClick={() =>
        switchTools(
          offered.map(({ name }) => name),
          !isOn,
        )
      }
    >
      <Globe size={16} aria-hidden />
      <Text as="span" hideBelow="md">
        {t('tools.search')}
      </Text>
    </Button>
  );
}

/** The tools that are on beside the harmless ones are counted on its button. */
function MenuOfTools({ tools, chosen, switchTools }: ThreadTools) {
  const groups = groupByServer(tools);
  const count = chosen.filter((name) => !HARMLESS_TOOLS.some((harmless) => harmless === name)).length;
  const label = count === 0 ? t('tools.label') : t('tools.labelOn', { count });
  return (
    <Menu.Root closeOnSelect={false} positioning={{ placement: 'top-start', strategy: 'fixed' }}>
      <Menu.Trigger asChild>
        <IconButton
          variant={count > 0 ? 'subtle' : 'ghost'}
          colorPalette="jade"
          size="sm"
          borderRadius="full"
          flexShrink={0}
          gap="1"
          px={count > 0 ? '2.5' : undefined}
          color={count > 0 ? undefined : 'fg.muted'}
          aria-label={label}
          title={label}
        >
          <Wrench size={16} />
          {count > 0 && (
            <Text as="span" textStyle="xs" aria-hidden>
              {count}
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
  const { title, hint } = toolTexts(tool);
  const Icon = tool.server === null && isBuiltIn(tool.name) ? (ICONS[tool.name] ?? Wrench) : Plug;
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
