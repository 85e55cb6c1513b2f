import { Box, Flex, Text, Mark } from '@chakra-ui/react';
import { Archive, type LucideIcon, MessageSquare } from 'lucide-react';
import type { ReactNode } from 'react';
import { cached, formatDate, formatMoment, locale } from '../../../app/i18n/formats';
import { t } from '../../../app/i18n/translate';
import { ShortcutKeys } from '../../../components/buttons/shortcut-keys';
import type { PaletteOption } from './palette-options';

interface PaletteRowProps {
  id: string;
  option: PaletteOption;
  words: string;
  isActive: boolean;
  onChoose: () => void;
  onHover: () => void;
}

/** One line of the palette. The field keeps the focus; the active line is announced through it. */
export function PaletteRow({ id, option, words, isActive, onChoose, onHover }: PaletteRowProps) {
  return (
    <Flex
      id={id}
      role="option"
      aria-selected={isActive}
      align="center"
      gap="3"
      px="2.5"
      py="1.5"
      minH="10"
      borderRadius="l2"
      cursor="pointer"
      bg={isActive ? 'bg.muted' : undefined}
      onClick={onChoose}
      onPointerMove={onHover}
    >
      {option.kind === 'command' ? <CommandLine option={option} /> : <ThreadLine option={option} words={words} />}
    </Flex>
  );
}

function Icon({ of: Image }: { of: LucideIcon }) {
  return (
    <Box asChild color="fg.muted" flexShrink={0}>
      <Image size={16} aria-hidden />
    </Box>
  );
}

function CommandLine({ option }: { option: PaletteOption & { kind: 'command' } }) {
  const { name, icon, keys } = option.command;
  return (
    <>
      <Icon of={icon} />
      <Text flex="1" minW="0" truncate>
        {name}
      </Text>
      {keys && <ShortcutKeys keys={keys} hideBelow="md" aria-hidden />}
    </>
  );
}

function ThreadLine({ option, words }: { option: PaletteOption & { kind: 'thread' }; words: string }) {
  const { thread, match } = option;
  return (
    <>
      <Icon of={thread.isArchived ? Archive : MessageSquare} />
      <Box flex="1" minW="0">
        <Text truncate dir="auto">
          <MarkedText text={thread.title} words={words} />
        </Text>
        {match && (
          <Text textStyle="xs" color="fg.muted" lineClamp={2} overflowWrap="anywhere" dir="auto">
            <Author isUser={match.isUserMessage} /> <MarkedText text={match.line} words={words} />
          </Text>
        )}
      </Box>
      <Text textStyle="xs" color="fg.muted" flexShrink={0} textAlign="end">
        {thread.isArchived && (
          <Box as="span" display="block">
            {t('order.isArchived')}
          </Box>
        )}
        <time dateTime={thread.updatedAt}>{shortDay(new Date(thread.updatedAt))}</time>
      </Text>
    </>
  );
}

/** Tells chats with the same title apart: `09:41` today, `24 Nov` this year, else `24 Nov 2025`. */
function shortDay(date: Date, now = new Date()): string {
  if (date.toDateString() === now.toDateString()) return formatMoment(date, now);
  if (date.getFullYear() !== now.getFullYear()) return formatDate(date);
  const tag = locale();
  const make = () => new Intl.DateTimeFormat(tag, { day: 'numeric', month: 'short' });
  return cached(`${tag} short`, make).format(date);
}

function Author({ isUser }: { isUser: boolean }): ReactNode {
  return (
    <Box as="span" fontWeight="semibold">
      {isUser ? t('chat.userAvatar') : t('chat.aiAvatar')}
    </Box>
  );
}

/** Text in which the beginnings of words that were searched for are marked. */
export function MarkedText({ text, words }: { text: string; words: string }) {
  const pattern = wordPattern(words);
  if (!pattern) return text;
  // `split` puts the matches of the group at the odd positions.
  return text.split(pattern).map((piece, index) =>
    index % 2 === 0 ? (
      piece
    ) : (
      <Mark key={index} bg="jade.muted" color="jade.fg" fontWeight="semibold" borderRadius="2px">
        {piece}
      </Mark>
    ),
  );
}

/** The pattern of the words at the beginning of a word, in one group; null without words. */
function wordPattern(words: string): RegExp | null {
  const wanted = words.match(/[\p{L}\p{N}\p{M}_]+/gu);
  if (!wanted) return null;
  const longestFirst = [...new Set(wanted)].sort((a, b) => b.length - a.length);
  return new RegExp(`(?<![\\p{L}\\p{N}\\p{M}_])(${longestFirst.join('|')})`, 'giu');
}
