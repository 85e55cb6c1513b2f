import type { GenerationEvent, Message, Quota } from '@tanya/contract';

export const GENERATION_ID = '7c1d5f0e-5f0c-4a3c-9a53-0d6a4f7d7a01';

export const quota: Quota = { used: 1, max: 3, remaining: 2, resetsAt: null };

export function userMessage(id: number, parentId: number | null, content = `question ${id}`): Message {
  return {
    id,
    threadId: 1,
    parentId,
    content,
    isUserMessage: true,
    createdAt: '2026-01-01T00:00:00.000Z',
    status: 'complete',
    modelId: null,
    reasoning: null,
    generationId: null,
    error: null,
    notice: null,
    siblingIds: [id],
  };
}

export function aiMessage(id: number, parentId: number, change: Partial<Message> = {}): Message {
  const base = userMessage(id, parentId, `answer ${id}`);
  return { ...base, isUserMessage: false, modelId: 'openai/gpt-4o-mini', generationId: GENERATION_ID, ...change };
}

export function delta(seq: number, text: string, change: Partial<GenerationEvent> = {}): GenerationEvent {
  const base = { generationId: GENERATION_ID, threadId: 1, messageId: 2, seq, type: 'text-delta', text };
  return { ...base, ...change } as GenerationEvent;
}

export function end(seq: number, content: string): GenerationEvent {
  const message = aiMessage(2, 1, { content });
  return { generationId: GENERATION_ID, threadId: 1, messageId: 2, seq, type: 'end', message, quota };
}

export function futureEvent(seq: number, type = 'canvas'): GenerationEvent {
  const part = { type: 'tool', callId: 'c1', tool: 'calculate', title: 'Calculate', args: {}, state: 'running' };
  const event = { generationId: GENERATION_ID, threadId: 1, messageId: 2, seq, type, index: 0, part };
  return event as unknown as GenerationEvent;
}
