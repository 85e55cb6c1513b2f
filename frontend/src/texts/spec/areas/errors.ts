import { ERROR_REASONS, type ErrorCode, ERRORS, FILE_NOTICES, MESSAGE_NOTICES } from '@tanya/contract';

const sentences = Object.entries(ERRORS).map(([code, { sentence }]) => [code, sentence] as const);

export default {
  /** By code. */
  errors: Object.fromEntries(sentences) as Record<ErrorCode, string>,
  /** By code and reason. Those of `invalid` are also the rules of fields, whose sentences the server makes otherwise. */
  reasons: {
    ...ERROR_REASONS,
    invalid: {
      ...ERROR_REASONS.invalid,
      isString: 'This field must be text.',
      isInt: 'This field must be a whole number.',
      isIn: 'Please choose one of the given values.',
      isEmail: 'Please enter a valid email address',
      minLength: 'This text is too short.',
      maxLength: 'This text is too long.',
      min: 'This number is too small.',
      max: 'This number is too large.',
      isUncommon: 'This password is too easy to guess. Please choose another one.',
      isUsername: 'Username contains invisible characters. Please remove them.',
      arrayUnique: 'A value is listed twice. Please remove one.',
      isNotEmpty: 'Please fill in this field.',
      amount: 'Please enter an amount such as 12.50.',
    },
  },
  /** Remarks about an answer or an uploaded document, by the code of the notice. */
  notices: { ...MESSAGE_NOTICES, ...FILE_NOTICES },
} as const;
