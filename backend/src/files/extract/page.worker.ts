import { type Keep, serveTasks } from '../../platform/sandbox/sandbox-worker.js';
import { fileTypeFromBuffer } from 'file-type';
import { readHtml } from '../formats/html-text.js';
import { readDocument } from '../formats/read-document.js';
import type { ExtractionResult } from '../formats/sections.js';
import { decodeAnyText } from '../formats/text/text-file.js';
import { MAX_PAGE_CHARACTERS, type PageResult, type PageTask } from './page-task.js';
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
async function readPage({ contentType, base64 }: PageTask, keep: Keep<PageResult>): Promise<PageResult> {
  const bytes = Buffer.from(base64, 'base64');
  const detected = (await fileTypeFromBuffer(bytes))?.mime ?? null;
  if (detected === 'application/pdf') return pdfPage(bytes, keep);
  if (detected !== null && !TEXT_TYPES.has(detected)) return { problem: 'unsupported' };
  if (/html/i.test(contentType) || looksLikeHtml(bytes)) return htmlPage(bytes, contentType);
  const decoded = decodeAnyText(bytes);
  return decoded === null ? { problem: 'unsupported' } : withTitle('', decoded.text);
}

async function pdfPage(bytes: Buffer, keep: Keep<PageResult>): Promise<PageResult> {
  return pageOf(await readDocument(bytes, 'pdf', '', async (soFar) => keep(await pageOf(soFar))));
}

async function pageOf(result: ExtractionResult): Promise<PageResult> {
  if ('problem' in result) return { problem: result.problem === 'unknown' ? 'unsupported' : result.problem };
  const page = await withTitle('', result.sections.map(({ label, text }) => `[${label}]\n${text}`).join('\n\n'));
  return 'text' in page ? { ...page, isCut: page.isCut || result.isCut } : page;
}

async function htmlPage(bytes: Buffer, contentType: string): Promise<PageResult> {
  // A page in UTF-16 has NUL bytes; other text has none.
  if (bytes.includes(0) && !/utf-?16/i.test(contentType) && bytes[0] !== 0xff && bytes[0] !== 0xfe) {
    return { problem: 'unsupported' };
  }
  try {
    const { title, text } = readHtml(bytes, contentType);
    return await withTitle(title, text);
  } catch {
    return { problem: 'broken' };
  }
}

async function withTitle(title: string, whole: string): Promise<PageResult> {
  const { text, isCut } = await toReadableText(whole, MAX_PAGE_CHARACTERS);
  if (text === '') return { problem: 'empty' };
  return { title: title.replace(/\s+/g, ' ').trim().slice(0, MAX_TITLE).toWellFormed(), text, isCut };
}

serveTasks(readPage);
