/** Loaded when the server's ideas are missing or repeated, so that the first page does not carry the built-in ones. */
export { STARTERS } from '@tanya/contract';
