interface ChatPageProps {
  threadId: number | null;
}

export function ChatPage({ threadId }: ChatPageProps) {
  return <main>{threadId}</main>;
}
