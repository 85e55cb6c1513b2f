import { recognize } from '../../src/imports/reader/formats.js';
import type { SourceNode } from '../../src/imports/reader/source-conversation.js';

/** The nodes of the first conversation of an export. */
export const nodesOf = (value: unknown): SourceNode[] => recognize(value)!.conversations[0]!.nodes;

export const node = (value: unknown, id: string): SourceNode => nodesOf(value).find((one) => one.id === id)!;
