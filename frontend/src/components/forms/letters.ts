/** A text without case and marks, to compare what is typed with. File names of macOS have their marks apart: `e` and `´`. */
export const letters = (text: string): string => text.toLocaleLowerCase().normalize('NFKD').replace(/\p{M}/gu, '');
