/** Searching looks at this much of a message, in characters. */
const SEARCHED = 50_000;

/** SQL of what a message is found by. @param parameter the placeholder of its words, see `searchText` */
export const searchVector = (parameter: string): string => `to_tsvector('simple', left(${parameter}, ${SEARCHED}))`;
