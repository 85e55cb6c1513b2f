/** SQL of the table `file` for statements about the files of projects. */

export const joinFile = (alias: string, id: string): string => `join file ${alias} on ${alias}.id = ${id}`;

export const fileColumns = (alias: string): string => `${alias}.id, ${alias}.name, ${alias}.type, ${alias}.size`;

export const joinSection = (alias: string, fileId: string, index: string): string =>
  `join file_section ${alias} on ${alias}.file_id = ${fileId} and ${alias}.index = ${index}`;

/**
 * The id of a file that is not deleted while a transaction lasts. It is locked before the rows that refer to the file, as a
 * deletion locks them.
 */
export const lockedFile = (id: string): string => `select id from file where id = ${id} for key share`;
