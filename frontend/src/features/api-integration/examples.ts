export type Language = 'curl' | 'javascript' | 'python';

export const LANGUAGES: { value: Language; label: string }[] = [
  { value: 'curl', label: 'cURL' },
  { value: 'javascript', label: 'JavaScript' },
  { value: 'python', label: 'Python' },
];

interface Call {
  /** Where this product answers. */
  origin: string;
  key: string;
  model: string;
}

/** A complete call in each language, ready to be tried. */
export function exampleOf(language: Language, { origin, key, model }: Call): string {
  switch (language) {
    case 'curl':
      return `curl -X POST ${origin}/api/v1/chat \\
  -H "Authorization: Bearer ${key}" \\
  -H "Content-Type: application/json" \\
  -d '{
    "model": "${model}",
    "messages": [{ "role": "user", "content": "Hello" }],
    "temperature": 0.7,
    "max_tokens": 1000
  }'`;
    case 'javascript':
      return `const response = await fetch('${origin}/api/v1/chat', {
  method: 'POST',
  headers: {
    Authorization: 'Bearer ${key}',
    'Content-Type': 'application/json',
  },
  body: JSON.stringify({
    model: '${model}',
    messages: [{ role: 'user', content: 'Hello' }],
    temperature: 0.7,
    max_tokens: 1000,
  }),
});

const completion = await response.json();
console.log(completion.choices[0].message.content);`;
    case 'python':
      return `import requests

response = requests.post(
    "${origin}/api/v1/chat",
    headers={"Authorization": "Bearer ${key}"},
    json={
        "model": "${model}",
        "messages": [{"role": "user", "content": "Hello"}],
        "temperature": 0.7,
        "max_tokens": 1000,
    },
)

print(response.json()["choices"][0]["message"]["content"])`;
  }
}

export const responseExample = (model: string) => `{
  "id": "chatcmpl-…",
  "object": "chat.completion",
  "created": 1767225600,
  "model": "${model}",
  "choices": [
    {
      "index": 0,
      "message": { "role": "assistant", "content": "Hello! How can I help?" },
      "finish_reason": "stop"
    }
  ],
  "usage": { "prompt_tokens": 9, "completion_tokens": 7, "total_tokens": 16 }
}`;

export const ERROR_CODES = [
  ['400', 'Invalid request parameters'],
  ['401', 'Invalid or missing API key'],
  ['403', 'Message quota exceeded'],
  ['404', 'The model is unknown, or not offered to the API'],
  ['429', 'Too many requests at once; the Retry-After header says when to try again'],
  ['500', 'Server error'],
] as const;
