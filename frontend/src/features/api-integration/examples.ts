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
