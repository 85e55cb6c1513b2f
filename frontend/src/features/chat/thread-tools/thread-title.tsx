import { chakra, Heading, VisuallyHidden } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { LIMITS } from '@tanya/contract';
import { type FormEvent, type KeyboardEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { isComposing } from '../../../app/browser/is-composing';
import { t } from '../../../app/i18n/translate';
import { currentUserQuery } from '../../../app/queries/user.query';
import { useRenameThread } from '../../../components/buttons/use-rename-thread';
import { PlainInput } from '../shared/plain-fields';

interface ThreadTitleProps {
  threadId: number;
  title: string;
}

/** The title of a conversation, which a member renames by a click on it. */
export function ThreadTitle({ threadId, title }: ThreadTitleProps) {
  const { data: user } = useQuery(currentUserQuery);
  const rename = useRenameThread(threadId);
  const [isEditing, setEditing] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const shown = rename.isPending ? rename.variables : title;
  const end = (wanted: string | null) => {
    // At once, so that the button is there for the focus.
    flushSync(() => setEditing(false));
    if (wanted !== null && wanted !== title) rename.mutate(wanted);
  };

  if (isEditing)
    return (
      <TitleField
        title={shown}
        onEnd={end}
        onKey={(wanted) => {
          end(wanted);
          button.current?.focus();
        }}
      />
    );
  return (
    <Heading
      as="h1"
      dir="auto"
      flex="1"
      minW="0"
      truncate
      textAlign="center"
      textStyle="sm"
      fontWeight="medium"
      color="fg.muted"
    >
      {user ? (
        <chakra.button
          ref={button}
          type="button"
          maxW="100%"
          px="2"
          py="1"
          truncate
          borderRadius="l2"
          verticalAlign="middle"
          cursor="text"
          focusVisibleRing="inside"
          _hover={{ bg: 'bg.muted', color: 'fg' }}
          title={t('export.renameTitle', { title: shown })}
          onClick={() => setEditing(true)}
        >
          {shown}
        </chakra.button>
      ) : (
        <span title={shown}>{shown}</span>
      )}
    </Heading>
  );
}

interface TitleFieldProps {
  title: string;
  /** null without a new title. */
  onEnd: (wanted: string | null) => void;
  /** The same, after a key: the focus stays here. */
  onKey: (wanted: string | null) => void;
}

/** Enter and leaving the field store the title, Escape does not. A blank title is none. */
function TitleField({ title, onEnd, onKey }: TitleFieldProps) {
  const [value, setValue] = useState(title);
  const isEnded = useRef(false);
  const wanted = value.trim() || null;
  const endOnce = (end: (wanted: string | null) => void, result: string | null) => {
    // The removal of the focused field is a blur too.
    if (isEnded.current) return;
    isEnded.current = true;
    end(result);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    endOnce(onKey, wanted);
  };
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || isComposing(event.nativeEvent)) return;
    event.stopPropagation();
    endOnce(onKey, null);
  };
  return (
    <>
      <VisuallyHidden asChild>
        <h1>{title}</h1>
      </VisuallyHidden>
      <chakra.form
        flex="1"
        minW="0"
        maxW={{ md: '24rem' }}
        mx="auto"
        // On a phone it covers the other parts of the bar, which leave it no room.
        position={{ base: 'absolute', md: 'static' }}
        insetInline="2"
        zIndex="1"
        bg="bg"
        onSubmit={submit}
      >
        <PlainInput
          autoFocus
          size="sm"
          dir="auto"
          aria-label={t('threadList.title')}
          value={value}
          maxLength={LIMITS.threadTitle.max}
          onFocus={(event) => event.target.select()}
          onChange={(event) => setValue(event.target.value)}
          onKeyDown={press}
          onBlur={() => endOnce(onEnd, wanted)}
        />
      </chakra.form>
    </>
  );
}
