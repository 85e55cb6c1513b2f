export interface GenerateImageRequest {
  prompt: string;
  /** Accepted and ignored: the server counts guests' messages. */
  guestUsage?: number;
  /** Idempotency key, valid for 24 hours. */
  clientMessageId?: string;
}

export interface GenerateImageResponse {
  url: string;
  cost: number;
}
