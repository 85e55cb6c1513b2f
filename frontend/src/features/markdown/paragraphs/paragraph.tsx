import { Fragment, memo } from 'react';
import { BlockBoundary } from '../block-boundary';
import { neededDefinitions } from './definitions';
import type { ParagraphPiece } from './paragraph-splitter';
import { TextBlock } from '../text-block';

interface ParagraphProps {
  pieces: readonly ParagraphPiece[];
  /** The link definitions of the whole text, one per line. */
  definitions: string;
  /** False for a paragraph that further text may extend. */
  closed: boolean;
  scope: string;
}

/** A long paragraph as one element. While it grows, only its last piece renders again. */
export function Paragraph({ pieces, definitions, closed, scope }: ParagraphProps) {
  return (
    <p>
      {pieces.map((piece, index) => (
        <Piece
          key={index}
          piece={piece}
          definitions={definitions}
          closed={closed || index < pieces.length - 1}
          scope={scope}
        />
      ))}
    </p>
  );
}

interface PieceProps extends Omit<ParagraphProps, 'pieces'> {
  piece: ParagraphPiece;
}

const Piece = memo(function Piece({ piece: { gap, source }, definitions, closed, scope }: PieceProps) {
  return (
    <Fragment>
      {gap}
      <BlockBoundary fallback={source}>
        <TextBlock
          inline
          source={source}
          definitions={neededDefinitions(source, definitions)}
          closed={closed}
          scope={scope}
        />
      </BlockBoundary>
    </Fragment>
  );
});
