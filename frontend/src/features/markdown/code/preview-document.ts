import type { PreviewKind } from './preview-store';

const HEAD = '<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width">';

/** A picture that fits the frame. */
const FITTED =
  '<style>html,body{height:100%;margin:0;background:#fff}body{display:grid;place-items:center}svg,img{max-width:100%;max-height:100%}</style>';

/**
 * The document that shows a code block.
 * @param draw draws a diagram and resolves with its address as a picture
 */
export async function documentOf(
  kind: PreviewKind,
  code: string,
  draw: (code: string) => Promise<string>,
): Promise<string> {
  if (kind === 'html') return /^\s*<!doctype/i.test(code) ? code : HEAD + code;
  if (kind === 'svg') return HEAD + FITTED + code;
  return `${HEAD}${FITTED}<img alt="" src="${await draw(code)}">`;
}
