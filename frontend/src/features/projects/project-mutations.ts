import type {
  CreateProjectRequest,
  GivenMember,
  ProjectDetails,
  ProjectMembers,
  UpdateProjectRequest,
} from '@tanya/contract';
import { useMutation } from '@tanstack/react-query';
import { api } from '../../app/api/api-client';
import { hasCode } from '../../app/api/api-error';
import { t } from '../../app/i18n/translate';
import { queryClient } from '../../app/queries/query-client';
import { useSingleFlightMutation } from '../../app/queries/use-single-flight-mutation';
import { fail } from '../../components/feedback/fail';
import { notify } from '../../components/feedback/notify';
import { projectPath } from '../../app/queries/projects.query';

const readAgain = () => void queryClient.invalidateQueries({ queryKey: ['projects'] });

export function useCreateProject(onCreated: (project: ProjectDetails) => void) {
  return useSingleFlightMutation({
    mutationFn: (request: CreateProjectRequest) => api.post<ProjectDetails>('/api/projects', request),
    onSuccess: onCreated,
    onError: fail('projects.createError'),
    onSettled: readAgain,
  });
}

export function useUpdateProject(id: number) {
  return useSingleFlightMutation({
    mutationFn: (request: UpdateProjectRequest) => api.patch<ProjectDetails>(projectPath(id), request),
    onSuccess: () => notify({ title: t('projects.saved') }),
    onError: fail('projects.saveError'),
    onSettled: readAgain,
  });
}

export function useDeleteProject(id: number, onDone: () => void) {
  return useSingleFlightMutation({
    mutationFn: () => api.delete(projectPath(id)),
    onSuccess: onDone,
    onError: fail('projects.deleteError'),
    onSettled: readAgain,
  });
}

const membersPath = (id: number) => `${projectPath(id)}/members`;

/** Changes of the members of a project run one after the other. */
const membersScope = (id: number) => ({ id: `project-members-${id}` });

/** Changes the list of members as it is now: people may have left since the page read it. */
export function useSetMembers(id: number) {
  return useMutation({
    scope: membersScope(id),
    mutationFn: async (change: (members: GivenMember[]) => GivenMember[]) => {
      const { members } = await api.get<ProjectDetails>(projectPath(id));
      const given = members.map((member) => ({ userId: member.id, role: member.role }));
      return api.put<ProjectMembers>(membersPath(id), { members: change(given) });
    },
    onError: fail('projects.membersError'),
    onSettled: readAgain,
  });
}

export function useRemoveMember(id: number, userId: number) {
  return useSingleFlightMutation({
    scope: membersScope(id),
    mutationFn: async () => {
      try {
        await api.delete(`${membersPath(id)}/${userId}`);
      } catch (error) {
        // The member has left meanwhile.
        if (!hasCode(error, 'not_found')) throw error;
      }
    },
    onError: fail('projects.membersError'),
    onSettled: readAgain,
  });
}

export function useLeaveProject(id: number, userId: number, onDone: () => void) {
  return useSingleFlightMutation({
    mutationFn: () => api.delete(`${membersPath(id)}/${userId}`),
    onSuccess: onDone,
    onError: fail('projects.leaveError'),
    onSettled: readAgain,
  });
}

export function useDeleteFile(id: number, onDone: () => void) {
  return useSingleFlightMutation({
    mutationFn: (fileId: string) => api.delete(`${projectPath(id)}/files/${fileId}`),
    onSuccess: onDone,
    onError: fail('projects.deleteFileError'),
    onSettled: readAgain,
  });
}
