import { Button, Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Folder } from 'lucide-react';
import { useEffect } from 'react';
import { t } from '../../../app/i18n/translate';
import { projectQuery, PROJECT_ROUTE, projectParams } from '../../../app/queries/projects.query';
import { useThread } from '../shared/use-thread';

interface ProjectChipProps {
  /** null for a new chat. */
  threadId: number | null;
  /** The project of a new chat; undefined for none. */
  projectId: number | undefined;
  /** Chooses the model of this chat alone. */
  suggest: (modelId: string) => void;
}

/** The project whose files and instructions the answers of this chat use. */
export function ProjectChip({ threadId, projectId, suggest }: ProjectChipProps) {
  if (threadId !== null) return <ThreadProject threadId={threadId} />;
  return projectId === undefined ? null : <NewChatProject id={projectId} suggest={suggest} />;
}

function ThreadProject({ threadId }: { threadId: number }) {
  const projectId = useThread(threadId)?.projectId;
  return projectId ? <Chip id={projectId} /> : null;
}

/** A new chat begins with the model of its project. */
function NewChatProject({ id, suggest }: { id: number; suggest: (modelId: string) => void }) {
  const modelId = useQuery(projectQuery(id)).data?.modelId;
  useEffect(() => {
    if (modelId) suggest(modelId);
  }, [modelId, suggest]);
  return <Chip id={id} />;
}

function Chip({ id }: { id: number }) {
  const { data: project } = useQuery(projectQuery(id));
  if (project === undefined) return null;
  const label = t('projects.inProject', { name: project.name });
  return (
    <Button asChild variant="ghost" size="sm" minW="0" gap="1" px="2.5" borderRadius="full" textStyle="xs">
      <Link to={PROJECT_ROUTE} params={projectParams(id)} aria-label={label} title={label}>
        <Folder size={16} aria-hidden />
        <Text as="span" truncate maxW="8rem" hideBelow="md">
          {project.name}
        </Text>
      </Link>
    </Button>
  );
}
