import { API_LIMITS, type ResponseItem, type ResponseState } from '@tanya/contract';
import { AppError, invalidField } from '../../platform/errors/app-error.js';
import { callLength } from './response-calls.js';
import { uuidOfItem } from './response-view.js';

/** The ends of stored responses by their UUIDs. */
type FindStates = (uuids: string[]) => Promise<Map<string, ResponseState>>;

interface Reference {
  type: 'item_reference';
  id: unknown;
}

const isReference = (item: unknown): item is Reference =>
  (item as { type?: unknown } | null)?.type === 'item_reference';

/** Whether an input refers to items of stored responses. */
export const haveReferences = (input: string | readonly unknown[]): input is readonly unknown[] =>
  typeof input !== 'string' && input.some(isReference);

/**
 * Replaces references to items of stored responses by the items.
 * @param find the responses of the caller alone
 * @throws AppError `not_found` naming an unknown item, `invalid` for more text than one conversation may have
 */
export async function withoutReferences(
  input: string | readonly unknown[],
  find: FindStates,
): Promise<string | readonly unknown[]> {
  if (!haveReferences(input)) return input;
  const uuids = new Set(input.filter(isReference).flatMap(({ id }) => uuidOfItem(id) ?? []));
  if (uuids.size > API_LIMITS.previousResponses)
    throw invalidField('input', `input must refer to at most ${API_LIMITS.previousResponses} responses`);
  const states = await find([...uuids]);
  let characters = 0;
  return input.map((item, index) => {
    if (!isReference(item)) return item;
    const found = states.get(uuidOfItem(item.id) ?? '')?.output.find(({ id }) => id === item.id);
    if (found === undefined) throw unknownItem(`input.${index}.id`);
    characters += charactersOf(found);
    if (characters > API_LIMITS.previousCharacters)
      throw invalidField('input', 'The conversation is too long. Please start a new one.');
    return found;
  });
}

function charactersOf(item: ResponseItem): number {
  if (item.type === 'compaction') return item.encrypted_content.length;
  return item.type === 'message' ? item.content.reduce((sum, { text }) => sum + text.length, 0) : callLength(item);
}

const unknownItem = (field: string): AppError =>
  new AppError('not_found', {
    reason: 'item',
    details: [{ field, message: 'not found' }],
  });
