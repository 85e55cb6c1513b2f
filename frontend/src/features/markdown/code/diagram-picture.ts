import fontSource from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?inline';

/** The page's font, with which mermaid measures the texts of a diagram. */
export const DIAGRAM_FONT = 'Inter Variable, system-ui, sans-serif';

const FONT_RULE = `@font-face{font-family:'Inter Variable';font-weight:100 900;src:url(${fontSource}) format('woff2')}`;

const PADDING = 8;

/** The address of a drawn diagram as a picture, with the page's font, which pictures cannot take from the page. */
export function pictureOf(svg: string): string {
  const { documentElement } = new DOMParser().parseFromString(svg, 'image/svg+xml');
  const drawing = document.importNode(documentElement, true) as unknown as SVGSVGElement;
  fitToContent(drawing);
  const style = document.createElementNS(drawing.namespaceURI, 'style');
  style.textContent = FONT_RULE;
  drawing.prepend(style);
  return `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(drawing))}`;
}

/** Sets size and view of the drawing. Mermaid measures some diagrams before their parts are in place, and cuts them off. */
function fitToContent(drawing: SVGSVGElement): void {
  const holder = document.createElement('div');
  Object.assign(holder.style, { position: 'absolute', visibility: 'hidden', pointerEvents: 'none' });
  holder.append(drawing);
  document.body.append(holder);
  const { x, y, width, height } = drawing.getBBox();
  holder.remove();
  if (width === 0 || height === 0) return;
  const [fullWidth, fullHeight] = [width + 2 * PADDING, height + 2 * PADDING];
  drawing.setAttribute('viewBox', `${x - PADDING} ${y - PADDING} ${fullWidth} ${fullHeight}`);
  drawing.setAttribute('width', String(fullWidth));
  drawing.setAttribute('height', String(fullHeight));
  drawing.style.maxWidth = '';
}
