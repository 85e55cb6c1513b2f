/** SQL of the tables of projects, for statements of other rooms. */

/** Expression of type boolean: whether the account belongs to the project. */
export const isProjectMember = (projectId: string, userId: string): string =>
  `exists (select from project_member where project_id = ${projectId} and user_id = ${userId})`;

/** Bytes of a word that is indexed and looked for. Postgres takes 2,046 with the project before them. */
export const LONGEST_WORD = 2_000;

/**
 * SQL of a word in a search vector: with the project before it, so that the index has a list of each word for each project.
 * To intersect the chunks of a project with those of a word takes three times as long.
 */
export const wordIn = (projectId: string, word: string): string => `(${projectId} || ' ' || ${word})`;
