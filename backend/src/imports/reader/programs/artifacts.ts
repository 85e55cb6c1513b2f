import { attributeOf, fenced, joined } from './text-blocks.js';

/** Languages of the kinds of artifacts; null for prose. Code names its own. */
const LANGUAGES: Record<string, string | null> = {
  'text/markdown': null,
  'text/html': 'html',
  'application/vnd.code-html': 'html',
  'image/svg+xml': 'svg',
  'application/vnd.ant.mermaid': 'mermaid',
  'application/vnd.mermaid': 'mermaid',
  'application/lobe.artifacts.mermaid': 'mermaid',
  'application/vnd.ant.react': 'jsx',
  'application/vnd.react': 'jsx',
  'application/lobe.artifacts.react': 'jsx',
};

/** A text that a program shows beside an answer. */
export interface Artifact {
  title: string;
  type: string;
  language: string;
  text: string;
}

/** An artifact that stands in a text between marks with attributes. */
export const artifactOf = (attributes: string, text: string): Artifact => ({
  title: attributeOf(attributes, 'title'),
  type: attributeOf(attributes, 'type'),
  language: attributeOf(attributes, 'language'),
  text: text.trim(),
});

export function shownArtifact({ title, type, language, text }: Artifact): string {
  const isProse = LANGUAGES[type] === null || (type === '' && language === '');
  const body = isProse ? text : fenced(language || LANGUAGES[type] || '', text);
  return joined([title && `**${title.replace(/\s+/g, ' ')}**`, body]);
}
