import { fileTypeFromBuffer } from 'file-type';
import { decodeText } from '../inspection/text-content.js';
import { readHtml } from './html-text.js';
import type { PageResult, PageTask } from './page-task.js';
import { readDocument } from './read-document.js';
import { toReadableText } from './readable-text.js';

const MAX_TITLE = 300;

/** Types that `file-type` detects in documents of text. */
const TEXT_TYPES = new Set(['application/xml', 'text/xml', 'image/svg+xml', 'application/rtf', 'text/rtf']);

const looksLikeHtml = (bytes: Buffer): boolean =>
  /^\s*(<!doctype html|<html|<head|<body|<!--)/i.test(bytes.subarray(0, 1024).toString('latin1').replace(/^ï»¿/, ''));

/**
 * Reads the text of a downloaded page. The content decides its kind; the server's claim only separates HTML from plain
 * text. Time and memory are unbounded: call it in a sandbox only.
 */
export async function readPage({ contentType, base64 }: PageTask): Promise<PageResult> {
  const bytes = Buffer.from(base64, 'base64');
  const detected = (await fileTypeFromBuffer(bytes))?.mime ?? null;
  if (detected === 'application/pdf') return withTitle('', await readDocument(bytes, 'pdf'));
  if (detected !== null && !TEXT_TYPES.has(detected)) return { problem: 'unsupported' };
  if (/html/i.test(contentType) || looksLikeHtml(bytes)) return htmlPage(bytes, contentType);
  const text = await decodeText(bytes);
  return text === null ? { problem: 'unsupported' } : withTitle('', toReadableText(text));
}

function htmlPage(bytes: Buffer, contentType: string): PageResult {
  // A page in UTF-16 has NUL bytes; other text has none.
  if (bytes.includes(0) && !/utf-?16/i.test(contentType) && bytes[0] !== 0xff && bytes[0] !== 0xfe) {
    return { problem: 'unsupported' };
  }
  try {
    const { title, text } = readHtml(bytes, contentType);
    return withTitle(title, toReadableText(text));
  } catch {
    return { problem: 'broken' };
  }
}

function withTitle(title: string, result: Awaited<ReturnType<typeof readDocument>>): PageResult {
  if ('problem' in result) return result;
  if (result.text === '') return { problem: 'empty' };
  return { title: title.replace(/\s+/g, ' ').trim().slice(0, MAX_TITLE).toWellFormed(), ...result };
}
