import type { OfficePackage } from './package.js';
import { readXml } from '../xml.js';
import type { SectionCollector } from '../sections.js';
import { withAuthor } from '../text/comment-author.js';

/** Names of the authors of comments by their numbers. */
type Authors = ReadonlyMap<string, string>;

interface Comment {
  author: string | undefined;
  text: string;
}

/** The authors of comments of both kinds. */
export function authorsOf(office: OfficePackage, main: string): Authors {
  const authors = new Map<string, string>();
  for (const part of ['commentAuthors', 'authors'].flatMap((type) => office.targets(main, type)))
    readXml(office.xml(part), {
      open({ name, attributes: { id, name: author } }) {
        if ((name === 'cmAuthor' || name === 'author') && id !== undefined && author) authors.set(id, author);
      },
    });
  return authors;
}

/** Adds the comments of a slide, each behind its author. */
export function addComments(office: OfficePackage, slide: string, authors: Authors, out: SectionCollector): void {
  for (const comments of office.targets(slide, 'comments')) {
    const text = commentsOf(office.xml(comments), authors);
    if (text !== '') out.add(`\nComments:\n${text}\n`);
  }
}

/** Comments of both kinds: those of earlier versions have `text`, threaded ones paragraphs, and replies inside of them. */
function commentsOf(xml: string, authors: Authors): string {
  const comments: Comment[] = [];
  // Replies stand before the text that they answer.
  const open: Comment[] = [];
  let inText = false;
  readXml(xml, {
    open({ name, attributes: { authorId = '' } }) {
      if (name === 'cm' || name === 'reply') {
        const comment = { author: authors.get(authorId), text: '' };
        comments.push(comment);
        open.push(comment);
      }
      inText = name === 't' || name === 'text';
    },
    text(piece) {
      const comment = open.at(-1);
      if (inText && comment !== undefined) comment.text += piece;
    },
    close(name) {
      const comment = open.at(-1);
      inText = false;
      if ((name === 'p' || name === 'text') && comment !== undefined) comment.text += '\n';
      else if (name === 'cm' || name === 'reply') open.pop();
    },
  });
  return comments
    .filter(({ text }) => /\S/.test(text))
    .map(({ author, text }) => withAuthor(author, text.trim()))
    .join('\n');
}
