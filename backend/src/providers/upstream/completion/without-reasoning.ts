import type { ProviderMessage, ProviderRequest } from '../../provider.js';

const hasReasoning = (message: ProviderMessage): boolean =>
  message.role === 'assistant' && (message.reasoningContent !== undefined || message.reasoningDetails !== undefined);

/**
 * A request without the reasoning of earlier answers, which some servers require and others refuse.
 * @returns null when it has none
 */
export function withoutReasoning(request: ProviderRequest): ProviderRequest | null {
  if (!request.messages.some(hasReasoning)) return null;
  const messages = request.messages.map((message) =>
    hasReasoning(message) ? { ...message, reasoningContent: undefined, reasoningDetails: undefined } : message,
  );
  return { ...request, messages };
}
