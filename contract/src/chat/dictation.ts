/** Answer of `POST /api/chat/transcribe`, a form with `file` and perhaps `language`. */
export interface DictationResponse {
  /** Empty where the model has heard nothing. */
  text: string;
}
