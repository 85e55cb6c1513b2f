export interface ConversationStarter {
  prompt: string;
}

/** Built-in conversation ideas, used when the settings have none and no model generates one. */
export const STARTERS: readonly string[] = [
  'Explain how a rainbow forms as if I were ten years old.',
  'Plan a three-day trip to Yogyakarta on a small budget.',
  'Help me write a polite email that asks for a deadline extension.',
  'Suggest five quick dinners with rice, eggs and vegetables.',
  'What are the pros and cons of working from home?',
  'Write a short story about a lighthouse keeper who finds a message.',
  'Teach me ten useful phrases for a visit to Japan.',
  'Give me a beginner workout that needs no equipment.',
  'How does compound interest work? Show a small table.',
  'Compare SQL and NoSQL databases with one example each.',
  'Write a JavaScript function that removes duplicates from a list.',
  'What questions should I ask at the end of a job interview?',
  'Summarise the causes of the French Revolution in six points.',
  'Help me name a small coffee shop near the sea.',
  'Explain the difference between a virus and a bacterium.',
  'Draft a weekly study plan for an exam in four weeks.',
  'What should I check before I buy a used laptop?',
  'Turn this into a haiku: the first rain after a long dry season.',
  'Describe how the internet delivers a web page, step by step.',
  'Give me three ideas for a birthday gift under Rp200.000.',
];
