/** Bounds of projects. Lengths are in UTF-16 code units. */
export const PROJECT_LIMITS = {
  /** Projects of one owner. */
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

/** `GET /api/projects/{id}`; the list of projects leaves the members out. */
export interface ProjectDetails extends Project {
  /** Without the owner, by name. */
  members: ProjectMember[];
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
