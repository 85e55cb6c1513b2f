import { useEffect, useState } from 'react';
import { type SectionId, SECTIONS } from './sections';

/**
 * A section counts as current from this line on, px below the top of the page: a link scrolls to 32 or 64 px, and no section
 * is so short that the next one begins above the line then.
 */
const LINE = 112;

/** The section that is being read: the last one that begins above the line, or the last one at the end of the page. */
export function useSectionInView(): SectionId {
  const [current, setCurrent] = useState<SectionId>(SECTIONS[0].id);
  useEffect(() => {
    const scroller = document.getElementById(SECTIONS[0].id)?.closest('main');
    if (!scroller) return;
    const update = () => setCurrent(sectionAt(scroller));
    update();
    scroller.addEventListener('scroll', update, { passive: true });
    return () => scroller.removeEventListener('scroll', update);
  }, []);
  return current;
}

function sectionAt(scroller: HTMLElement): SectionId {
  const isAtEnd = scroller.scrollTop > 0 && scroller.scrollTop + scroller.clientHeight >= scroller.scrollHeight - 2;
  if (isAtEnd) return SECTIONS.at(-1)!.id;
  const line = scroller.getBoundingClientRect().top + LINE;
  const above = SECTIONS.filter(({ id }) => {
    const top = document.getElementById(id)?.getBoundingClientRect().top;
    return top !== undefined && top < line;
  });
  return above.at(-1)?.id ?? SECTIONS[0].id;
}
