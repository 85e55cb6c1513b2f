export type ExampleLanguage = 'curl' | 'javascript' | 'python';

export const EXAMPLE_LANGUAGES: { value: ExampleLanguage; label: string }[] = [
  { value: 'curl', label: 'cURL' },
  { value: 'javascript', label: 'JavaScript' },
  { value: 'python', label: 'Python' },
];

export interface ExampleCall {
  /** Base address of this installation. */
  origin: string;
  key: string;
  model: string;
}

/**
 * A complete call of `/api/v1/chat` for the API page. It runs unchanged and without dependencies in `bash`, in Node (as a
 * module) and in Python 3.
 */
export function exampleOf(language: ExampleLanguage, { origin, key, model }: ExampleCall): string {
  // A JSON string is also a valid string literal of JavaScript and Python, so every model name is safe.
  const name = JSON.stringify(model);
  switch (language) {
    case 'curl':
      return `curl -X POST ${origin}/api/v1/chat \\
  -H "Authorization: Bearer ${key}" \\
  -H "Content-Type: application/json" \\
  -d '{
    "model": ${name.replaceAll("'", "'\\''")},
    "messages": [{ "role": "user", "content": "Hello" }],
    "temperature": 0.7,
    "max_tokens": 1000
  }'`;
    case 'javascript':
      return `const response = await fetch("${origin}/api/v1/chat", {
  method: "POST",
  headers: {
    Authorization: "Bearer ${key}",
    "Content-Type": "application/json",
  },
  body: JSON.stringify({
    model: ${name},
    messages: [{ role: "user", content: "Hello" }],
    temperature: 0.7,
    max_tokens: 1000,
  }),
});

const completion = await response.json();
if (!response.ok) throw new Error(completion.error.message);
console.log(completion.choices[0].message.content);`;
    case 'python':
      return `import json
from urllib.request import Request, urlopen

request = Request(
    "${origin}/api/v1/chat",
    headers={
        "Authorization": "Bearer ${key}",
        "Content-Type": "application/json",
    },
    data=json.dumps({
        "model": ${name},
        "messages": [{"role": "user", "content": "Hello"}],
        "temperature": 0.7,
        "max_tokens": 1000,
    }).encode(),
)

with urlopen(request) as response:
    completion = json.load(response)
print(completion["choices"][0]["message"]["content"])`;
  }
}
