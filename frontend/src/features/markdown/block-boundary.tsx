import { Component, type ReactNode } from 'react';

interface BlockBoundaryProps {
  fallback: ReactNode;
  children: ReactNode;
}

/** A block that no renderer can take, as by absurd nesting, shows its source and takes nothing else down with it. */
export class BlockBoundary extends Component<BlockBoundaryProps, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    return this.state.failed ? this.props.fallback : this.props.children;
  }
}
