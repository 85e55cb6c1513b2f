import { API_LIMITS } from '@tanya/contract';
import type { BodyBounds } from '../platform/bodies/json-body.js';
import { PROGRAM_JSON } from '../platform/json/json-scan.js';

/** Bounds of the JSON that programs send: pictures as data URLs, and long histories. */
export const API_BODY: BodyBounds = { bytes: API_LIMITS.jsonBytes, ...PROGRAM_JSON };
