import type { CallToolResult } from '@modelcontextprotocol/client';
import { cutText } from '../cut-text.js';
import type { ToolResult } from '../tool.js';

type Block = CallToolResult['content'][number];

/** The text of one block; pictures and sound are named, not shown: they come from another server. */
function textOf(block: Block): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image':
    case 'audio':
      return `[${block.type}, ${block.mimeType}: not shown]`;
    case 'resource':
      return 'text' in block.resource ? block.resource.text : `[file, ${block.resource.uri}: not shown]`;
    case 'resource_link':
      return `${block.title ?? block.name}: ${block.uri}`;
    default:
      return '[unknown content: not shown]';
  }
}

/** Converts the result of an MCP tool. Structured content counts only where there is no other. */
export function callResult({ content, structuredContent, isError }: CallToolResult): ToolResult {
  const text = content.map(textOf).join('\n\n').trim();
  const structured = structuredContent === undefined ? '' : JSON.stringify(structuredContent);
  return { text: cutText(text || structured || 'The tool gave no result.'), ...(isError && { isError: true }) };
}
