import { Flex, Text, VisuallyHidden } from '@chakra-ui/react';
import type { Message, MessagePart, SourcePart } from '@tanya/contract';
import { type ComponentProps, Suspense } from 'react';
import { t } from '../../../../app/i18n/translate';
import { lazyWithPreload } from '../../../../components/lazy/lazy-with-preload';
import { Markdown } from '../../../markdown/markdown';
import { MarkdownFrame } from '../../../markdown/markdown-frame';
import { MessageFiles } from '../message-files';
import { Reasoning } from '../reasoning';
import { Thinking } from '../thinking';
import { runningGeneration, useStreaming } from '../use-streaming';
import { endedAtLimit, messageParts } from './answer-content';

/** Answers with tools or sources are rare, so their code is loaded with the first of them. */
const ToolCall = lazyWithPreload(() => import('./tool-call'));
const SourceList = lazyWithPreload(() => import('./source-list'));

interface AnswerPartsProps {
  message: Pick<Message, 'status' | 'content' | 'reasoning' | 'parts' | 'createdAt' | 'notices'> & {
    generationId: string | null;
  };
  /** Prefix of the ids in the texts, unique per message. */
  scope: string;
}

/**
 * The body of an answer, running or final: its parts in order, then its sources. Each part keeps its elements, and with
 * them a selection and what was opened, when others join it.
 */
export function AnswerParts({ message, scope }: AnswerPartsProps) {
  const generationId = runningGeneration(message);
  const isRunning = generationId !== null;
  const parts = useStreaming(generationId, (entry) => entry?.parts, areAlike) ?? messageParts(message);
  const sources = parts.filter((part) => part.type === 'source');
  const hasTools = parts.some(({ type }) => type === 'tool');
  const newest = parts.findLastIndex(({ type }) => type !== 'source' && type !== 'image');
  const newestType = parts[newest]?.type;
  const isWhole = message.status === 'complete' && !endedAtLimit(message);
  const isUsing = parts.some((part) => part.type === 'tool' && (part.state === 'running' || part.state === 'waiting'));
  return (
    <Flex direction="column" gap="2">
      {hasTools && <RunningTools parts={isRunning ? parts : []} />}
      {parts.map((part, index) => (
        <Part
          key={index}
          part={part}
          index={index}
          sources={sources}
          isOpen={isRunning && index === newest}
          isCut={!isWhole && index === parts.findLastIndex(({ type }) => type === 'text')}
          generationId={generationId}
          scope={`${scope}-${index}`}
        />
      ))}
      {isRunning && newestType !== 'text' && !isUsing && (
        <Thinking since={hasTools ? undefined : Date.parse(message.createdAt)} isSilent={newestType !== 'reasoning'} />
      )}
      {message.status === 'complete' && parts.every(isWithoutContent) && (
        <Text color="fg.muted">{t('chat.noContent')}</Text>
      )}
      {sources.length > 0 && (
        <Suspense>
          <SourceList sources={sources} />
        </Suspense>
      )}
    </Flex>
  );
}

const isWithoutContent = (part: MessagePart): boolean =>
  part.type === 'reasoning' || (part.type === 'text' && part.text === '');

type Parts = readonly MessagePart[] | undefined;

/** Whether nothing but texts has grown, which show that themselves. */
const areAlike = (one: Parts, other: Parts): boolean =>
  one === other ||
  (one !== undefined &&
    one.length === other?.length &&
    one.every((part, index) => part === other[index] || isAlike(part, other[index]!)));

const isAlike = (part: MessagePart, grown: MessagePart): boolean =>
  (part.type === 'text' || part.type === 'reasoning') &&
  part.type === grown.type &&
  (part.text === '') === (grown.text === '');

interface PartProps {
  part: MessagePart;
  index: number;
  sources: readonly SourcePart[];
  /** Whether further text may extend it. */
  isOpen: boolean;
  /** Whether the answer ended in it before its end. */
  isCut: boolean;
  generationId: string | null;
  scope: string;
}

/** One part. A part of an unknown type, from a newer server, shows nothing. */
function Part({ part, index, sources, isOpen, isCut, generationId, scope }: PartProps) {
  switch (part.type) {
    case 'reasoning':
      return (
        <GrowingReasoning
          generationId={generationId}
          index={index}
          text={part.text}
          isThinking={isOpen}
          scope={scope}
        />
      );
    case 'text':
      if (part.text === '') return null;
      return (
        <MarkdownFrame className="answer-text" dir="auto" data-streaming={isOpen ? '' : undefined}>
          <GrowingText
            generationId={generationId}
            index={index}
            text={part.text}
            streaming={isOpen}
            scope={scope}
            sources={sources}
            cut={isCut}
          />
        </MarkdownFrame>
      );
    case 'tool':
      return (
        <Suspense>
          <ToolCall part={part} generationId={generationId} />
        </Suspense>
      );
    case 'image':
      return <MessageFiles content={{ text: '', imageUrl: part.url }} alt={part.alt} />;
    default:
      return null;
  }
}

interface Growing {
  generationId: string | null;
  index: number;
}

/** The text of a part, which is all that is rendered at every frame of a stream. */
function useGrowing({ generationId, index }: Growing, type: 'text' | 'reasoning', text: string): string {
  return useStreaming(generationId, (entry) => {
    const part = entry?.parts[index];
    return part?.type === type ? part.text : text;
  });
}

function GrowingText({ generationId, index, text, ...props }: Growing & ComponentProps<typeof Markdown>) {
  return <Markdown {...props} text={useGrowing({ generationId, index }, 'text', text)} />;
}

function GrowingReasoning({ generationId, index, text, ...props }: Growing & ComponentProps<typeof Reasoning>) {
  return <Reasoning {...props} text={useGrowing({ generationId, index }, 'reasoning', text)} />;
}

/**
 * Announces each running tool, and each that needs approval, once to screen readers. The region stays, so that a change
 * of its text is announced.
 */
function RunningTools({ parts }: { parts: readonly MessagePart[] }) {
  const sentences = parts.flatMap((part) => {
    if (part.type !== 'tool') return [];
    if (part.state === 'running') return [t('toolCall.using', { title: part.title })];
    return part.state === 'waiting' && !part.approved ? [t('toolCall.asks', { title: part.title })] : [];
  });
  return <VisuallyHidden role="status">{sentences.join(', ')}</VisuallyHidden>;
}
