import { ERROR_REASONS, type ErrorCode, ERRORS } from '@tanya/contract';

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
  notices: {
    earlier_left_out:
      '{count, plural, one {# earlier message was} other {# earlier messages were}} left out to fit the model.',
    message_cut: 'Your message was cut to fit the model.',
    document_cut: 'A document was cut to fit the model.',
    documents_cut: '{count} documents were cut to fit the model.',
    attachments_left_out: 'Earlier attachments were left out.',
    attachments_omitted:
      '{count, plural, one {# attachment was} other {# attachments were}} left out to fit the model.',
    attachments_too_large: 'Some attachments were left out, because together they are too large for one message.',
    instructions_cut: 'Your custom instructions were cut to fit the model.',
    answer_cut: 'The answer was cut at {max, number} characters.',
    answer_length: 'The answer reached the length that the model allows.',
    budget_spent: 'The answer ends here, because the budget is spent.',
    tools_unsupported: 'This model does not support tools.',
    search_unsupported: 'This model cannot search the web.',
    search_unaffordable: 'The answer was written without a web search, because the budget does not cover one.',
    text_cut: 'Only the first {max, number} characters of this document are read.',
    names_only: 'Only the names of the files in this archive are read.',
    document_protected: 'This document is protected by a password and could not be read.',
    no_text: 'No text was found in this document.',
    no_text_scan: 'No text was found in this document. Is it a scan?',
    archive_empty: 'This archive is empty.',
    text_unreadable: 'The text of this document could not be read.',
    reader_busy: 'This document could not be read because too many others are being read. Please upload it again.',
    type_unknown: 'The model cannot read this type of file.',
  },
} as const;
