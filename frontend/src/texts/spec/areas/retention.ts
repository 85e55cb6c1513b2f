export default {
  retention: {
    sentence: 'How long chats stay after their last message.',
    rules: 'Rules',
    rulesHint:
      'A shorter time begins 7 days after it is saved, with a notice to the people concerned. A longer time holds at once.',
    loading: 'The rules are being loaded',
    loadError: 'The rules could not be loaded.',
    guest: 'Guests, days',
    free: 'Free accounts, days',
    premium: 'Premium accounts, days',
    forever: 'No end',
    days: '{count, plural, one {# day} other {# days}}',
    daysInvalid: 'Enter a number of days from 1 to {max}, or nothing.',
    exemptPinned: 'Pinned chats stay',
    preview: 'Show what would be deleted',
    previewNone: 'No chat would be deleted today.',
    previewText:
      '{threads, plural, one {# chat} other {# chats}} with {messages, plural, one {# message} other {# messages}} and {files, plural, one {# file} other {# files}} ({size} MB) would be deleted today. The last message of the oldest is of {oldest}.',
    previewError: 'What would be deleted could not be counted',
    save: 'Save rules',
    saved: 'The rules were saved',
    saveError: 'The rules could not be saved',
    pending: 'The shorter times below begin on {time}.',
    until: 'Until then: {rules}',
    for: { guest: 'guests {time}', free: 'free accounts {time}', premium: 'premium accounts {time}' },
  },
} as const;
