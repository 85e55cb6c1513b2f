import { API_LIMITS } from '@tanya/contract';
import { ReadsJson } from '../identity/reads-json.js';
import { PROGRAM_JSON } from '../platform/json/json-scan.js';
import { repairTexts } from '../platform/json/storable-json.js';

/**
 * Reads the JSON that programs send: pictures as data URLs, and long histories. Text that cannot be stored is repaired, since
 * programs pass on what they read from files.
 * @param bytes of the largest body
 */
export const ReadsProgramJson = (bytes: number = API_LIMITS.jsonBytes): MethodDecorator =>
  ReadsJson({ bytes, ...PROGRAM_JSON }, repairTexts);
