import { Component, type ReactNode } from 'react';

interface BlockBoundaryProps {
  fallback: ReactNode;
  children: ReactNode;
}

/** Error boundary of one block: a block that fails to render, such as by deep nesting, shows its source. */
export class BlockBoundary extends Component<BlockBoundaryProps, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    return this.state.failed ? this.props.fallback : this.props.children;
  }
}
