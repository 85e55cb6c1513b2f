import { MAX_LABEL } from './markdown-sections.js';

interface Section {
  label: string;
  text: string;
  /** Of a heading, from 1. */
  level?: number;
}

const BETWEEN = ' › ';

/**
 * Puts headings without text of their own before the labels of what stands below them: a search, a citation and a model see
 * one section alone, such as `Fees 2026 › Berth`. Such a heading with nothing below it is text.
 */
export function withOuterHeadings<S extends Section>(sections: readonly S[]): S[] {
  const kept: S[] = [];
  const outer: { level: number; label: string }[] = [];
  for (const [at, section] of sections.entries()) {
    const { level, label, text } = section;
    while (outer.length > 0 && outer.at(-1)!.level >= (level ?? 0)) outer.pop();
    if (level !== undefined && text === '' && (sections[at + 1]?.level ?? 0) > level) outer.push({ level, label });
    else kept.push({ ...section, label: labelBelow(outer, label), text: level === undefined ? text : text || label });
  }
  return kept;
}

/** The label with as many of the headings above it as a label may have characters for. */
const labelBelow = (outer: readonly Pick<Section, 'label'>[], own: string): string =>
  outer.reduceRight(
    (path, { label }) => (label.length + BETWEEN.length + path.length > MAX_LABEL ? path : label + BETWEEN + path),
    own,
  );
