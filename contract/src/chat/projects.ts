import type { SectionKind, StoredFile } from '../files.js';

/** Bounds of projects. Lengths are in UTF-16 code units. */
export const PROJECT_LIMITS = {
  projects: 100,
  /** Members of one project beside its owner. */
  members: 100,
  name: { min: 1, max: 100 },
  instructions: { max: 8_000 },
} as const;

/** Roles that the owner gives. Viewers read and ask; editors also handle files and instructions. */
export const MEMBER_ROLES = ['viewer', 'editor'] as const;
export type MemberRole = (typeof MEMBER_ROLES)[number];

/** The owner also sets the members and deletes the project. */
export type ProjectRole = MemberRole | 'owner';

/** Names of the tools of chats in a project: their results quote its files. */
export const PROJECT_TOOLS: readonly string[] = ['search_project', 'open_section'];

/** Where the reading of a file stands. Files that are read are found by a search. */
export type ProjectFileState = 'reading' | 'ready' | 'failed';

/** A failed file always has a `notice`. */
export interface ProjectFile extends Omit<StoredFile, 'url' | 'pages' | 'pictures'> {
  state: ProjectFileState;
  /** Pages, slides, sheets, or parts below headings. */
  sections: number;
  /** Passages that a search can find. */
  chunks: number;
  /** Of its text. */
  characters: number;
  /** Whether a search finds it by its meaning too, not by its words alone. */
  isSemantic: boolean;
  createdAt: string;
}

/** `POST /api/projects/{id}/files` as JSON: a file of the asker, which is copied. */
export interface CopyFileRequest {
  fileId: string;
}

/** A part of a file with its own place. */
export interface ProjectSection {
  /** From 0, in the order of the document. */
  index: number;
  kind: SectionKind;
  /** Such as `page 3`; '' for a part without a heading. */
  label: string;
  text: string;
}

/** A word on a page and its place: left, top, width and height, in ten-thousandths of the page from its top left corner. */
export type PageWord = [text: string, left: number, top: number, width: number, height: number];

/** `GET /api/projects/{id}/files/{fileId}/pages/{page}`: a page of a PDF, from 1. */
export interface PagePicture {
  page: number;
  /** Pixels of the picture. */
  width: number;
  height: number;
  /** A data URL. */
  picture: string;
  /** In the order of the text; none for a scan. */
  words: PageWord[];
}

/** A passage that a search found, the best first. */
export interface SearchHit {
  fileId: string;
  /** Name of the file. */
  name: string;
  /** Index of the section, from 0. */
  section: number;
  /** Of the section. */
  label: string;
  quote: string;
  /** Higher is better; comparable within one answer alone. */
  score: number;
}

export interface ProjectPerson {
  /** Id of the account. */
  id: number;
  username: string;
  fullName: string | null;
}

export interface ProjectMember extends ProjectPerson {
  role: MemberRole;
}

/** A project as one of its members sees it. */
export interface Project {
  id: number;
  name: string;
  /** Part of every prompt of its chats; '' for none. */
  instructions: string;
  /** The model of its new chats; null for the site's default. */
  modelId: string | null;
  /** Names of the tools that are switched on in its new chats. */
  tools: string[];
  /** The role of the asker. */
  role: ProjectRole;
  owner: ProjectPerson;
  createdAt: string;
  updatedAt: string;
}

/** The model that embeds the files of projects. */
export interface EmbeddingModelInfo {
  /** As people see it. */
  name: string;
  /** USD for a million tokens, a decimal string; null when unknown. */
  usdPerMillionTokens: string | null;
}

/** `GET /api/admin/embeddings?modelId`: what the site pays when this model is chosen for the files that are there. */
export interface EmbeddingCost {
  /** Files of all projects without vectors of the model. */
  files: number;
  /** Estimated, at most. */
  tokens: number;
  /** A decimal string; null when the price is unknown. */
  usd: string | null;
}

/** `GET /api/projects/{id}`; the list of projects leaves the members and the model out. */
export interface ProjectDetails extends Project {
  /** Without the owner, by name. */
  members: ProjectMember[];
  /** null while a search finds files by their words alone. */
  embedding: EmbeddingModelInfo | null;
}

export interface CreateProjectRequest {
  name: string;
  instructions?: string | null;
  modelId?: string | null;
  tools?: string[];
}

/** Omitted fields keep their value. */
export type UpdateProjectRequest = Partial<CreateProjectRequest>;

/** A person by the exact username or by the id of the account. */
export interface GivenMember {
  username?: string;
  userId?: number;
  role: MemberRole;
}

/** `PUT /api/projects/{id}/members` replaces all members. Its answer has the members as they are then. */
export interface ProjectMembersRequest {
  members: GivenMember[];
}

export interface ProjectMembers {
  members: ProjectMember[];
}
