import type { ComponentProps } from 'react';
import InstructionsToggle from './instructions-toggle';
import { ProjectChip } from './project-chip';

type MemberChipsProps = ComponentProps<typeof InstructionsToggle> & ComponentProps<typeof ProjectChip>;

/** What answers to a member use beside the conversation: the project, custom instructions. */
export default function MemberChips({ projectId, suggest, ...instructions }: MemberChipsProps) {
  const { threadId, preferences } = instructions;
  return (
    <>
      <ProjectChip threadId={threadId} projectId={projectId} suggest={suggest} />
      {(preferences.aboutMe || preferences.howToAnswer) && <InstructionsToggle {...instructions} />}
    </>
  );
}
