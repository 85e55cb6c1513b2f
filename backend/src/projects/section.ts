import type { SectionKind } from '@tanya/contract';

/** A part of a document with its own place, see `FileSectionEntity`. */
export interface Section {
  kind: SectionKind;
  /** Such as `page 3`; '' for a part without a heading. */
  label: string;
  text: string;
}
