/** SQL of the tables of projects, for statements of other rooms. */

/** Expression of type boolean: whether the account belongs to the project. */
export const isProjectMember = (projectId: string, userId: string): string =>
  `exists (select from project_member where project_id = ${projectId} and user_id = ${userId})`;
