export default {
  dictation: {
    start: 'Dictate',
    label: 'Dictation',
    asking: 'Allow the microphone to dictate.',
    recording: 'Listening',
    writing: 'Writing down what you said',
    left: 'Time left',
    finish: 'Finish and insert the text',
    language: 'Spoken language',
    anyLanguage: 'Detect language',
    denied: 'The microphone is not allowed. Allow it for this site in the browser and try again.',
    absent: 'No microphone was found. Connect one and try again.',
    failed: 'The microphone could not be used. Another program may be using it.',
    silence: 'Nothing was heard. Please try again.',
  },
  speech: {
    read: 'Read aloud',
    pause: 'Pause reading',
    resume: 'Go on reading',
    stop: 'Stop reading',
    code: 'Code is left out.',
    /** Within a sentence, in place of a fraction for example. */
    formula: 'formula',
    failed: 'The browser could not read this answer aloud.',
  },
} as const;
