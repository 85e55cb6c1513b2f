import { chakra, Text } from '@chakra-ui/react';
import mermaid from 'mermaid';
import { type ReactNode, useEffect, useId, useState } from 'react';
import { useColorMode } from '../../app/theme/color-mode';

interface MermaidDiagramProps {
  source: string;
  /** The source as code, for diagrams that can't be drawn. */
  fallback: ReactNode;
}

/** Ways of a diagram to name an address; drawing it would ask a stranger's server. */
const REACHES_OUT = /url\s*\(|@import|\bimg\s*:|<\s*(?:img|image|iframe|link|script)|%%\s*\{/i;

/** Mermaid keeps one configuration for the page, so drawings take turns. */
let turn: Promise<unknown> = Promise.resolve();

function draw(id: string, source: string, mode: 'light' | 'dark'): Promise<string> {
  const drawn = turn.then(async () => {
    mermaid.initialize({
      startOnLoad: false,
      securityLevel: 'strict',
      suppressErrorRendering: true,
      theme: mode === 'dark' ? 'dark' : 'neutral',
      htmlLabels: false,
      flowchart: { htmlLabels: false },
      fontFamily: 'Inter Variable, system-ui, sans-serif',
    });
    return (await mermaid.render(id, source)).svg;
  });
  turn = drawn.catch(() => undefined);
  return drawn;
}

/** Draws a diagram as a picture: inside an image nothing of it can run or load. */
export function MermaidDiagram({ source, fallback }: MermaidDiagramProps) {
  const id = `diagram${useId().replace(/\W/g, '')}`;
  const mode = useColorMode((state) => state.mode);
  const [image, setImage] = useState<string | null>(null);
  const [failed, setFailed] = useState(REACHES_OUT.test(source));

  useEffect(() => {
    if (REACHES_OUT.test(source)) return;
    let current = true;
    draw(id, source, mode).then(
      (svg) => current && setImage(`data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`),
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
          This diagram can’t be drawn, so its source is shown.
        </Text>
      </>
    );
  }
  if (!image) return fallback;
  return (
    <chakra.div p="4" overflowX="auto">
      <chakra.img src={image} alt="Diagram" mx="auto" maxW="100%" />
    </chakra.div>
  );
}
