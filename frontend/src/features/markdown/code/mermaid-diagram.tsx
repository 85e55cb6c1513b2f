import { chakra, Text } from '@chakra-ui/react';
import mermaid from 'mermaid';
import { type ReactNode, useEffect, useId, useState } from 'react';
import { t } from '../../../app/i18n/translate';
import { useColorMode } from '../../../app/theme/color-mode';
import { DIAGRAM_FONT, pictureOf } from './diagram-picture';

interface MermaidDiagramProps {
  source: string;
  /** The source as code, shown while the diagram loads and if it cannot be drawn. */
  fallback: ReactNode;
}

/** Syntax that names an address: drawing it would send a request to another server. */
const EXTERNAL_ADDRESS = /url\s*\(|@import|\bimg\s*:|<\s*(?:img|image|iframe|link|script)|%%\s*\{/i;

/** Mermaid has one configuration per page, so diagrams are drawn one after the other. */
let queue: Promise<unknown> = Promise.resolve();

function draw(id: string, source: string, mode: 'light' | 'dark'): Promise<string> {
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
    return pictureOf((await mermaid.render(id, source)).svg);
  });
  queue = drawn.catch(() => undefined);
  return drawn;
}

/** Draws a diagram as an image, which can neither run scripts nor load anything. */
export function MermaidDiagram({ source, fallback }: MermaidDiagramProps) {
  const id = `diagram${useId().replace(/\W/g, '')}`;
  const mode = useColorMode((state) => state.mode);
  const [image, setImage] = useState<string | null>(null);
  const [failed, setFailed] = useState(EXTERNAL_ADDRESS.test(source));

  useEffect(() => {
    if (EXTERNAL_ADDRESS.test(source)) return;
    let current = true;
    draw(id, source, mode).then(
      (picture) => current && setImage(picture),
      () => current && setFailed(true),
    );
    return () => {
      current = false;
    };
  }, [id, source, mode]);

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
  if (!image) return fallback;
  return (
    <chakra.div p="4" overflowX="auto">
      <chakra.img src={image} alt={t('message.diagram')} mx="auto" maxW="100%" />
    </chakra.div>
  );
}
