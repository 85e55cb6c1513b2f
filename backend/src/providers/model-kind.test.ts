import { kindOf } from './model-kind.js';

it.each([
  'text-embedding-3-small',
  'openai/text-embedding-3-large',
  'text-embedding-ada-002',
  'gemini-embedding-001',
  'BAAI/bge-m3',
  'bge-large-en-v1.5',
  'nomic-embed-text',
  'nomic-embed-text:latest',
  'nomic-ai/nomic-embed-text-v1.5',
  'mxbai-embed-large',
  'snowflake-arctic-embed2',
  'all-minilm',
  'paraphrase-multilingual',
  'sentence-transformers/all-MiniLM-L6-v2',
  'intfloat/multilingual-e5-large-instruct',
  'thenlper/gte-large',
  'jinaai/jina-embeddings-v3',
  'voyage-3-large',
  'mistral-embed',
  'codestral-embed-2505',
  'embed-multilingual-v3.0',
  'qwen/qwen3-embedding-8b',
  'embeddinggemma',
  'amazon.titan-embed-text-v2:0',
  'multimodal-image-embedding',
])('reads %s as a model for embeddings, by its id', (modelId) => {
  expect(kindOf(modelId)).toEqual({ kind: 'embedding', isKindGuessed: true });
});

it.each([
  'whisper-1',
  'openai/whisper-large-v3',
  'whisper-large-v3-turbo',
  'distil-whisper-large-v3-en',
  'gpt-4o-transcribe',
  'gpt-4o-mini-transcribe',
  'gpt-4o-transcribe-diarize',
  'voxtral-mini-latest',
  'voxtral-mini-transcribe-2507',
  'scribe_v1',
  'nvidia/parakeet-tdt-0.6b-v2',
  'x-ai/grok-stt-2.0',
  'qwen3-asr-flash',
])('reads %s as a model for transcriptions, by its id', (modelId) => {
  expect(kindOf(modelId)).toEqual({ kind: 'transcription', isKindGuessed: true });
});

it.each([
  'dall-e-2',
  'dall-e-3',
  'openai/dall-e-3',
  'gpt-image-1-mini',
  'gpt-image-1.5',
  'chatgpt-image-latest',
  'gemini-2.5-flash-image',
  'google/gemini-3-pro-image-preview',
  'gemini-2.0-flash-preview-image-generation',
  'imagen-4.0-generate-001',
  'grok-2-image',
  'black-forest-labs/flux-1.1-pro',
  'flux.2-pro',
  'FLUX.1-schnell',
  'stabilityai/stable-diffusion-xl-base-1.0',
  'sdxl-turbo',
  'sd3.5-large',
  'ideogram-v3',
  'qwen-image',
  'seedream-4',
])('reads %s as a model for images, by its id', (modelId) => {
  expect(kindOf(modelId)).toEqual({ kind: 'image', isKindGuessed: true });
});

it.each([
  'openai/gpt-4o-mini',
  'gpt-5',
  'o3-mini',
  'anthropic/claude-sonnet-4.5',
  'meta-llama/llama-4-maverick',
  'google/gemini-2.5-flash',
  'google/gemma-3-27b-it',
  'mistral-large-latest',
  'voxtral-small-latest',
  'deepseek-r1',
  'qwen3:8b',
  'phi-4',
  'grok-2-vision',
  'gpt-4o-audio-preview',
  'llava:13b',
  'BAAI/bge-reranker-v2-m3',
  'imagine-8b',
])('reads %s as a model for chat, by its id', (modelId) => {
  expect(kindOf(modelId)).toEqual({ kind: 'chat', isKindGuessed: true });
});

it.each(['gpt-image-1', 'openai/gpt-image-1'])('gives %s the kind image without a guess', (modelId) => {
  expect(kindOf(modelId, { outputModalities: ['text'] })).toEqual({ kind: 'image', isKindGuessed: false });
});

it.each([
  ['chat', { inputModalities: ['text', 'image'], outputModalities: ['text'] }],
  ['chat', { inputModalities: ['text', 'audio'], outputModalities: ['text', 'audio'] }],
  // OpenRouter answers such models over chat completions alone.
  ['chat', { inputModalities: ['image', 'text'], outputModalities: ['image', 'text'] }],
  ['image', { inputModalities: ['text'], outputModalities: ['image'] }],
  ['embedding', { inputModalities: ['text'], outputModalities: ['embeddings'] }],
  ['transcription', { inputModalities: ['audio'], outputModalities: ['transcription'] }],
  ['transcription', { inputModalities: ['audio'], outputModalities: ['text'] }],
  ['chat', { supportedParameters: ['temperature', 'max_tokens'] }],
  ['chat', { inputModalities: null, outputModalities: [], supportedParameters: ['tools'] }],
])('of a catalogue is %s with %j, whatever the id', (kind, clues) => {
  for (const modelId of ['maker/one', 'maker/text-embedding-image-whisper'])
    expect(kindOf(modelId, clues)).toEqual({ kind, isKindGuessed: false });
});

it.each([
  [{ inputModalities: null, outputModalities: null, supportedParameters: null }],
  [{ outputModalities: ['speech'] }],
  [{ supportedParameters: ['dimensions'] }],
])('falls back to the id with %j', (clues) => {
  expect(kindOf('maker/embed-1', clues)).toEqual({ kind: 'embedding', isKindGuessed: true });
});
