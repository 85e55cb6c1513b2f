import { Flex, VisuallyHidden } from '@chakra-ui/react';
import type { Message, MessagePart, SourcePart } from '@tanya/contract';
import { t } from '../../../../app/i18n/translate';
import { sourceDefinitions } from '../../../markdown/citations';
import { Markdown } from '../../../markdown/markdown';
import { MarkdownFrame } from '../../../markdown/markdown-frame';
import { MessageFiles } from '../message-files';
import { Reasoning } from '../reasoning';
import { Thinking } from '../thinking';
import { runningGeneration, useStreaming } from '../use-streaming';
import { SourceList } from './source-list';
import { ToolCall } from './tool-call';

interface AnswerPartsProps {
  message: Pick<Message, 'status' | 'generationId' | 'parts'>;
  /** Prefix of the ids in the texts, unique per message. */
  scope: string;
}

/** The body of an answer with tools, sources or images, running or final: its parts in order, then its sources. */
export default function AnswerParts({ message, scope }: AnswerPartsProps) {
  const generationId = runningGeneration(message);
  const parts = useStreaming(generationId, (entry) => entry?.parts) ?? message.parts ?? [];
  const isRunning = generationId !== null;
  const sources = parts.filter((part) => part.type === 'source');
  return (
    <Flex direction="column" gap="2">
      <RunningTools parts={isRunning ? parts : []} />
      {parts.map((part, index) => (
        <Part
          key={index}
          part={part}
          sources={sources}
          isOpen={isRunning && index === parts.length - 1}
          isCut={message.status !== 'complete' && index === parts.findLastIndex(({ type }) => type === 'text')}
          generationId={generationId}
          scope={`${scope}-${index}`}
        />
      ))}
      {isRunning && isBetweenSteps(parts) && <Thinking />}
      {sources.length > 0 && <SourceList sources={sources} />}
    </Flex>
  );
}

interface PartProps {
  part: MessagePart;
  sources: readonly SourcePart[];
  /** Whether further text may extend it. */
  isOpen: boolean;
  /** Whether the answer was stopped in it. */
  isCut: boolean;
  generationId: string | null;
  scope: string;
}

/** One part. A part of an unknown type, from a newer server, shows nothing. */
function Part({ part, sources, isOpen, isCut, generationId, scope }: PartProps) {
  switch (part.type) {
    case 'reasoning':
      return <Reasoning text={part.text} isThinking={isOpen} scope={scope} />;
    case 'text':
      if (part.text === '') return null;
      return (
        <MarkdownFrame className="answer-text" dir="auto" data-streaming={isOpen ? '' : undefined}>
          <Markdown
            text={part.text}
            streaming={isOpen}
            scope={scope}
            sources={sourceDefinitions(sources)}
            cut={isCut}
          />
        </MarkdownFrame>
      );
    case 'tool':
      return <ToolCall part={part} generationId={generationId} />;
    case 'image':
      return <MessageFiles content={{ text: part.alt, imageUrl: part.url }} />;
    default:
      return null;
  }
}

/** Whether the model has the results of all calls and has not written on yet. */
function isBetweenSteps(parts: readonly MessagePart[]): boolean {
  const isRunning = parts.some(
    (part) => part.type === 'tool' && (part.state === 'running' || part.state === 'waiting'),
  );
  const last = parts.findLast(({ type }) => type !== 'source' && type !== 'image');
  return last?.type === 'tool' && !isRunning;
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
