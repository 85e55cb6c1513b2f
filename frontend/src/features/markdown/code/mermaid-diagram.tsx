import { chakra, Text } from '@chakra-ui/react';
import mermaid from 'mermaid';
import { type ReactNode, useEffect, useId, useState } from 'react';
import { t } from '../../../app/i18n/translate';
import { useShownColorMode } from '../../../app/theme/shown-color-mode';
import { withQuotedLabels, withSemicolons } from './quoted-labels';
import fontSource from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?inline';

interface MermaidDiagramProps {
  source: string;
  /** The source as code, shown while the diagram loads and if it cannot be drawn. */
  fallback: ReactNode;
}

type Mode = 'light' | 'dark';

/** Syntax that names an address: drawing it would send a request to another server. */
const EXTERNAL_ADDRESS = /url\s*\(|@import|\bimg\s*:|<\s*(?:img|image|iframe|link|script)|%%\s*\{/i;

/** Directives, which set fonts, colours and others of the settings that are the page's own. */
const DIRECTIVE = /%%\s*\{(?:(?!%%)[^])*\}\s*%%/g;

/** Mermaid has one configuration per page, so diagrams are drawn one after the other. */
let queue: Promise<unknown> = Promise.resolve();

/**
 * Draws a diagram for the preview.
 * @returns its address as a picture
 * @throws Error for a source that cannot be drawn, or names an address
 */
export function drawDiagram(source: string, mode: Mode): Promise<string> {
  const plain = source.replace(DIRECTIVE, '');
  if (EXTERNAL_ADDRESS.test(plain)) return Promise.reject(new Error('The diagram names an address'));
  return draw(`preview${crypto.getRandomValues(new Uint32Array(1))[0]}`, plain, mode);
}

function draw(id: string, source: string, mode: Mode): Promise<string> {
  const drawn = queue.then(async () => {
    mermaid.initialize({
      startOnLoad: false,
      securityLevel: 'strict',
      suppressErrorRendering: true,
      theme: mode === 'dark' ? 'dark' : 'neutral',
      htmlLabels: false,
      flowchart: { htmlLabels: false },
      fontFamily: DIAGRAM_FONT,
    });
    const { svg } = await mermaid.render(id, source).catch((error: unknown) => {
      const quoted = withSemicolons(withQuotedLabels(source));
      if (quoted === source) throw error;
      return mermaid.render(id, quoted);
    });
    return pictureOf(svg);
  });
  queue = drawn.catch(() => undefined);
  return drawn;
}

interface Picture {
  mode: Mode;
  address: string;
}

/** Number of pictures in the cache; messages unmount and mount again by scrolling and by printing. */
const CACHE_SIZE = 50;

const cache = new Map<string, Picture>();

const keyOf = (source: string, mode: Mode): string => `${mode}\n${source}`;

function remember(source: string, picture: Picture): void {
  cache.set(keyOf(source, picture.mode), picture);
  const [oldest] = cache.keys();
  if (cache.size > CACHE_SIZE && oldest !== undefined) cache.delete(oldest);
}

/** A picture in the mode, else in the other one until it is drawn. */
function remembered(source: string, mode: Mode): Picture | undefined {
  return cache.get(keyOf(source, mode)) ?? cache.get(keyOf(source, mode === 'light' ? 'dark' : 'light'));
}

/** Draws a diagram as an image, which can neither run scripts nor load anything. It is busy until it has its colours. */
export function MermaidDiagram({ source: written, fallback }: MermaidDiagramProps) {
  const source = written.replace(DIRECTIVE, '');
  const id = `diagram${useId().replace(/\W/g, '')}`;
  const mode = useShownColorMode();
  const [drawn, setDrawn] = useState<Picture>();
  const [failed, setFailed] = useState(EXTERNAL_ADDRESS.test(source));
  const picture = drawn?.mode === mode ? drawn : (remembered(source, mode) ?? drawn);
  const isBusy = picture?.mode !== mode;

  useEffect(() => {
    if (!isBusy || EXTERNAL_ADDRESS.test(source)) return;
    let current = true;
    draw(id, source, mode).then(
      (address) => {
        remember(source, { mode, address });
        if (current) setDrawn({ mode, address });
      },
      () => current && setFailed(true),
    );
    return () => {
      current = false;
    };
  }, [id, source, mode, isBusy]);

  if (failed) {
    return (
      <>
        {fallback}
        <Text px="4" pb="3" textStyle="xs" color="fg.muted">
          {t('message.diagramFailed')}
        </Text>
      </>
    );
  }
  if (!picture) return <div aria-busy>{fallback}</div>;
  return (
    <chakra.div p="4" overflowX="auto" aria-busy={isBusy}>
      <chakra.img src={picture.address} data-mode={picture.mode} alt={t('message.diagram')} mx="auto" maxW="100%" />
    </chakra.div>
  );
}

/** The page's font, with which mermaid measures the texts of a diagram. */
const DIAGRAM_FONT = 'Inter Variable, system-ui, sans-serif';

const FONT_RULE = `@font-face{font-family:'Inter Variable';font-weight:100 900;src:url(${fontSource}) format('woff2')}`;

const PADDING = 8;

/** The address of a drawn diagram as a picture, with the page's font, which pictures cannot take from the page. */
function pictureOf(svg: string): string {
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
