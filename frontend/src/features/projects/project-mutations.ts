import type {
  CreateProjectRequest,
  GivenMember,
  ProjectDetails,
  ProjectMembers,
  UpdateProjectRequest,
} from '@tanya/contract';
import { api } from '../../app/api/api-client';
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

export function useSetMembers(id: number) {
  return useSingleFlightMutation({
    mutationFn: (members: GivenMember[]) => api.put<ProjectMembers>(`${projectPath(id)}/members`, { members }),
    onError: fail('projects.membersError'),
    onSettled: readAgain,
  });
}

export function useLeaveProject(id: number, userId: number, onDone: () => void) {
  return useSingleFlightMutation({
    mutationFn: () => api.delete(`${projectPath(id)}/members/${userId}`),
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
