import { queryOptions } from '@tanstack/react-query';
import type {
  PagePicture,
  Project,
  ProjectDetails,
  ProjectFile,
  ProjectSection,
  SearchHit,
  Thread,
} from '@tanya/contract';
import { api } from '../api/api-client';

export const projectPath = (id: number): string => `/api/projects/${id}`;

/** The route of all pages of projects. A link names all its parameters, because the router keeps those of the present page. */
export const PROJECT_ROUTE = '/projects/{-$project}/{-$files}/{-$file}';

export const projectParams = (id?: number, fileId?: string) => ({
  project: id === undefined ? undefined : String(id),
  files: fileId === undefined ? undefined : 'files',
  file: fileId,
});

/** Members hear of changes by others while a page of projects is open; each page reads again when it opens. */
export const projectsQuery = queryOptions({
  queryKey: ['projects'],
  queryFn: ({ signal }) => api.get<Project[]>('/api/projects', signal),
  staleTime: 0,
});

export const projectQuery = (id: number) =>
  queryOptions({
    queryKey: ['projects', id],
    queryFn: ({ signal }) => api.get<ProjectDetails>(projectPath(id), signal),
    staleTime: 0,
  });

/** Whether a file has no vectors yet. One whose embedding failed is tried again much later. */
export const waitsForVectors = ({ state, chunks, isSemantic, notices = [] }: ProjectFile): boolean =>
  state === 'ready' && chunks > 0 && !isSemantic && !notices.some(({ code }) => code.startsWith('embedding_'));

export const projectFilesQuery = (id: number) =>
  queryOptions({
    queryKey: ['projects', id, 'files'],
    queryFn: ({ signal }) => api.get<ProjectFile[]>(`${projectPath(id)}/files`, signal),
    staleTime: 0,
  });

export const projectThreadsQuery = (id: number) =>
  queryOptions({
    queryKey: ['projects', id, 'threads'],
    queryFn: ({ signal }) => api.get<Thread[]>(`/api/chat/threads?projectId=${id}&limit=50`, signal),
    staleTime: 0,
  });

export const projectSearchQuery = (id: number, query: string) =>
  queryOptions({
    queryKey: ['projects', id, 'search', query],
    queryFn: ({ signal }) => api.get<SearchHit[]>(`${projectPath(id)}/search?q=${encodeURIComponent(query)}`, signal),
    enabled: query !== '',
  });

export const projectFileQuery = (id: number, fileId: string) =>
  queryOptions({
    queryKey: ['projects', id, 'files', fileId],
    queryFn: ({ signal }) => api.get<ProjectFile>(`${projectPath(id)}/files/${fileId}`, signal),
  });

/** How long a picture is kept after its page was closed, ms. */
const PICTURE_MS = 60_000;

export const sectionsQuery = (id: number, fileId: string, from: number) =>
  queryOptions({
    queryKey: ['projects', id, 'files', fileId, 'sections', from],
    queryFn: ({ signal }) =>
      api.get<ProjectSection[]>(`${projectPath(id)}/files/${fileId}/sections?from=${from}`, signal),
  });

/** A page of a PDF as a picture, from 1. Neither changes. */
export const pageQuery = (id: number, fileId: string, page: number) =>
  queryOptions({
    queryKey: ['projects', id, 'files', fileId, 'pages', page],
    queryFn: ({ signal }) => api.get<PagePicture>(`${projectPath(id)}/files/${fileId}/pages/${page}`, signal),
    staleTime: Infinity,
    gcTime: PICTURE_MS,
  });
