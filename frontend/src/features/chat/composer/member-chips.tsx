import type { Preferences } from '@tanya/contract';
import type { ComponentProps } from 'react';
import InstructionsToggle from './instructions-toggle';
import { ProjectChip } from './project-chip';

interface MemberChipsProps extends Omit<ComponentProps<typeof InstructionsToggle>, 'preferences'> {
  /** Of the model of this chat. */
  choice: { preferences: Preferences | undefined; suggest: (modelId: string) => void };
  /** The project of a new chat; undefined for none. */
  projectId: number | undefined;
}

/** What answers to a member use beside the conversation: the project, custom instructions. */
export default function MemberChips({ choice, projectId, ...instructions }: MemberChipsProps) {
  const { preferences, suggest } = choice;
  return (
    <>
      <ProjectChip threadId={instructions.threadId} projectId={projectId} suggest={suggest} />
      {preferences && (preferences.aboutMe || preferences.howToAnswer) && (
        <InstructionsToggle {...instructions} preferences={preferences} />
      )}
    </>
  );
}
